import { ApiError } from '@heliograph/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionQuery } from '../session/session.ts';

/** How long before its expiry a token is renewed, in seconds. */
const AHEAD_S = 60;

/**
 * Leads a page that support opened to the cloud shortly before its token expires, and as soon as it is refused: the cloud
 * sends it back with another one while the session is open, and otherwise shows that it has ended.
 */
export function useRenewedAccess(): void {
  const { data, error, dataUpdatedAt } = useQuery(sessionQuery);
  const expiresInS = data?.recovery?.expires_in;
  const isRefused = error instanceof ApiError && error.status === 401;
  useEffect(() => {
    if (expiresInS === undefined) return;
    if (isRefused) {
      renew();
      return;
    }
    // A token that ends with its session is as short as what is left of that, and is used to its end.
    const delayS = expiresInS > 2 * AHEAD_S ? expiresInS - AHEAD_S : Math.max(expiresInS, 0) + 1;
    const timer = setTimeout(renew, dataUpdatedAt + delayS * 1000 - Date.now());
    return () => clearTimeout(timer);
  }, [expiresInS, isRefused, dataUpdatedAt]);
}

function renew(): void {
  const { pathname, search, hash } = location;
  location.replace(`/renew?${new URLSearchParams({ return_to: pathname + search + hash })}`);
}
