import { TOKEN_PREFIXES } from '../common/secrets/opaque-token.ts';

/**
 * The cookie that keeps a browser signed in: a session token of the service. Its prefix makes browsers refuse it unless
 * it is secure and this host's alone.
 */
export const SESSION_COOKIE = '__Host-heliograph_session';

/** Out of reach for scripts, and not sent along when a page of another site loads or sends something. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** @param lifetimeMs remaining lifetime; a date would depend on the browser's clock */
export function sessionCookie(token: string, lifetimeMs: number): string {
  return `${SESSION_COOKIE}=${token}; Max-Age=${Math.floor(lifetimeMs / 1000)}; ${ATTRIBUTES}`;
}

/** The value of the `Set-Cookie` that makes a browser forget the cookie. */
export const FORGET_SESSION_COOKIE = `${SESSION_COOKIE}=; Max-Age=0; ${ATTRIBUTES}`;

/**
 * @param header a `Cookie` header
 * @returns undefined without a session token, and with several, because an attacker may have planted one
 */
export function sessionTokenIn(header = ''): string | undefined {
  const ours = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.toLowerCase().startsWith(`${SESSION_COOKIE.toLowerCase()}=`))
    .map((pair) => pair.slice(SESSION_COOKIE.length + 1));
  const [token] = ours;
  return ours.length === 1 && token?.startsWith(TOKEN_PREFIXES.session) ? token : undefined;
}
