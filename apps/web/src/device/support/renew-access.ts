import { ApiError } from '@heliograph/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useHasUnsentInput } from '../../shared/browser/unsent-input.ts';
import { sessionQuery } from '../session/session.ts';

/** How long before its expiry a token is renewed, in seconds. */
const AHEAD_S = 60;

/**
 * Leads a page that support opened to the cloud shortly before its token expires, and as soon as it is refused: the cloud
 * sends it back with another one while the session is open, and otherwise shows that it has ended. A page with input that is
 * not sent stays: another tab gets the token for both.
 *
 * @returns the address for that tab, while this page waits for it
 */
export function useRenewedAccess(): string | undefined {
  const { data, error, dataUpdatedAt } = useQuery(sessionQuery);
  const hasUnsentInput = useHasUnsentInput();
  const expiresInS = data?.recovery?.expires_in;
  const isRefused = error instanceof ApiError && error.status === 401;
  /** Of the token that has to be renewed: when it became known. */
  const [dueOf, setDueOf] = useState<number>();
  const isDue = expiresInS !== undefined && (isRefused || dueOf === dataUpdatedAt);
  useEffect(() => {
    if (expiresInS === undefined || isDue) return;
    // A token that ends with its session is as short as what is left of that, and is used to its end.
    const delayS = expiresInS > 2 * AHEAD_S ? expiresInS - AHEAD_S : Math.max(expiresInS, 0) + 1;
    const timer = setTimeout(() => setDueOf(dataUpdatedAt), dataUpdatedAt + delayS * 1000 - Date.now());
    return () => clearTimeout(timer);
  }, [expiresInS, isDue, dataUpdatedAt]);
  const leaves = isDue && !hasUnsentInput;
  useEffect(() => {
    if (leaves) location.replace(renewalUrl());
  }, [leaves]);
  return isDue && hasUnsentInput ? renewalUrl() : undefined;
}

function renewalUrl(): string {
  const { pathname, search, hash } = location;
  return `/renew?${new URLSearchParams({ return_to: pathname + search + hash })}`;
}
