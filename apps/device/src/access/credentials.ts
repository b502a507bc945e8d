import type { IncomingHttpHeaders } from 'node:http';

/** The credentials that a client presents. */
export type Credentials =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'token'; readonly token: string }
  /** The cookie of a browser that shows this device's own pages. */
  | { readonly kind: 'session'; readonly token: string };

/**
 * The credentials in an `Authorization` header: Basic with any user name, of which clients use several and
 * none, or Bearer.
 */
export function credentialsOfHeader(authorization: string | undefined): Credentials | undefined {
  const [, scheme = '', value = ''] = /^(\S+) +(\S+) *$/.exec(authorization ?? '') ?? [];
  switch (scheme.toLowerCase()) {
    case 'basic': {
      const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? [];
      return password === undefined ? undefined : { kind: 'password', password };
    }
    case 'bearer':
      return { kind: 'token', token: value };
    default:
      return undefined;
  }
}

/**
 * The credentials of a WebSocket: `password` or `token` in the query, or a Bearer header. A Basic header does
 * not count: browsers add it by themselves, whichever page opens the socket.
 */
export function credentialsOfSocket(
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
): Credentials | undefined {
  const password = query.get('password');
  if (password !== null) return { kind: 'password', password };
  const token = query.get('token');
  if (token !== null) return { kind: 'token', token };
  const fromHeader = credentialsOfHeader(headers.authorization);
  return fromHeader?.kind === 'token' ? fromHeader : undefined;
}
