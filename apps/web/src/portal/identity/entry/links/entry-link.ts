import { useEffect, useLayoutEffect, useState } from 'react';

/** A link with a one-time secret that led to the sign-in page. */
export type EntryLink =
  | { readonly kind: 'confirm'; readonly token: string }
  | { readonly kind: 'email'; readonly token: string }
  | { readonly kind: 'reset'; readonly token: string }
  | { readonly kind: 'set'; readonly token: string; readonly siteId: number | null }
  | { readonly kind: 'second_factor'; readonly token: string }
  | { readonly kind: 'session'; readonly token: string };

const MAILED = /^#(confirm|email|second_factor|password\/reset|password\/set)\/([^?]+)(?:\?(.*))?$/;

/**
 * Reads the link that the sign-in page was opened with:
 *
 *     #confirm/<token>   #password/reset/<token>   #password/set/<token>?site_id=7
 *     #email/<token>                             a new address of an account
 *     #second_factor/<token>                     a program's sign-in that waits
 *     ?token=<token>     #token=<token>            a session that another page hands over
 */
export function entryLink(search: string, hash: string): EntryLink | undefined {
  const [, kind, token = '', query = ''] = MAILED.exec(hash) ?? [];
  if (kind === 'confirm' || kind === 'email' || kind === 'second_factor') return { kind, token };
  if (kind === 'password/reset') return { kind: 'reset', token };
  if (kind === 'password/set') return { kind: 'set', token, siteId: siteIdIn(query) };
  const handoverToken = new URLSearchParams(search).get('token') ?? inHash(hash).get('token');
  return handoverToken ? { kind: 'session', token: handoverToken } : undefined;
}

/** The query without what is secret; where to go afterwards may stand behind the `#` as well. */
export function withoutSecrets(search: string, hash: string): string {
  const query = new URLSearchParams(search);
  query.delete('token');
  const returnTo = MAILED.test(hash) ? null : inHash(hash).get('return_to');
  if (returnTo !== null) query.set('return_to', returnTo);
  return query.size === 0 ? '' : `?${query}`;
}

function inHash(hash: string): URLSearchParams {
  return new URLSearchParams(hash.replace(/^#\??/, ''));
}

function siteIdIn(query: string): number | null {
  const id = new URLSearchParams(query).get('site_id') ?? '';
  return /^\d{1,15}$/.test(id) ? Number(id) : null;
}

interface Followed {
  /** Undefined where nothing but the page itself was wanted. */
  readonly link: EntryLink | undefined;
  /** Goes on with the page itself. */
  readonly leave: () => void;
}

/** The link that led here. Its secret leaves the address bar and the history at once. */
export function useEntryLink(): Followed {
  const [link, setLink] = useState(linkHere);
  useLayoutEffect(() => {
    if (link !== undefined) clearAddress();
  }, [link]);
  useEffect(() => {
    const follow = (): void => setLink((before) => linkHere() ?? before);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return { link, leave: () => setLink(undefined) };
}

function linkHere(): EntryLink | undefined {
  return entryLink(location.search, location.hash);
}

function clearAddress(): void {
  const query = withoutSecrets(location.search, location.hash);
  history.replaceState(history.state, '', `${location.pathname}${query}`);
}
