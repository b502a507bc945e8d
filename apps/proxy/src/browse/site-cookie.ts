import type { Credentials } from '../auth/credentials.ts';

/**
 * The cookie that opens a site to a browser. Its prefix makes browsers refuse it unless it is secure and this host's
 * alone, so that the page of another site below the same domain can neither read nor plant it.
 */
export const SITE_COOKIE = '__Host-heliograph_site';

/** Out of reach for scripts, and not sent along when another site's page loads or sends something. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** Site, key and token in characters that a cookie may have (RFC 6265 section 4.1.1). */
const VALUE = /^(\d{1,16})~([\w-]{1,256})~([\w.-]{1,3000})$/;

/** @returns the value of `Set-Cookie`; undefined when the credentials have characters that a cookie cannot hold */
export function siteCookie({ siteId, siteKey, token }: Credentials, maxAgeS: number): string | undefined {
  const value = `${siteId}~${siteKey}~${token}`;
  return VALUE.test(value) ? `${SITE_COOKIE}=${value}; Max-Age=${maxAgeS}; ${ATTRIBUTES}` : undefined;
}

/** The value of the `Set-Cookie` that makes a browser forget the cookie. */
export const EXPIRED_SITE_COOKIE = `${SITE_COOKIE}=; Max-Age=0; ${ATTRIBUTES}`;

/** The contents of a `Cookie` header. */
export interface Cookies {
  /** The credentials in our cookie; undefined when there is none, or more than one. */
  readonly site: Credentials | undefined;
  /** Whether our cookie is there at all, whatever is in it. */
  readonly hasSiteCookie: boolean;
  /** The cookies of the site's own pages; undefined when there are none. */
  readonly others: string | undefined;
}

export function parseCookies(header: string | undefined): Cookies {
  const pairs = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
  const ours = pairs.filter(isOurs);
  const others = pairs.filter((pair) => !isOurs(pair));
  return {
    site: ours.length === 1 ? credentialsIn(ours[0] ?? '') : undefined,
    hasSiteCookie: ours.length > 0,
    others: others.length === 0 ? undefined : others.join('; '),
  };
}

/**
 * A `Set-Cookie` of a site's device as the browser may have it: for this host alone, and not in the name of ours.
 *
 * @returns undefined where nothing is left of it
 */
export function deviceCookie(header: string): string | undefined {
  const [pair = '', ...attributes] = header.split(';');
  if (isOurs(pair)) return undefined;
  return [pair, ...attributes.filter((attribute) => !/^\s*domain\s*(?:=|$)/i.test(attribute))].join(';');
}

/** Browsers send a cookie without a name as its value alone, so one named '' can pose as any other. */
function isOurs(pair: string): boolean {
  const name = pair.replace(/^[\s=]+/, '').split('=', 1)[0] ?? '';
  return name.trim().toLowerCase() === SITE_COOKIE.toLowerCase();
}

function credentialsIn(pair: string): Credentials | undefined {
  const [, siteId, siteKey, token] = VALUE.exec(pair.slice(SITE_COOKIE.length + 1)) ?? [];
  if (!pair.startsWith(`${SITE_COOKIE}=`)) return undefined;
  return siteId === undefined || siteKey === undefined || token === undefined
    ? undefined
    : { siteId, siteKey, token };
}
