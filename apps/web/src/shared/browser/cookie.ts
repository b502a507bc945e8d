/** A year, in seconds. */
const KEPT_FOR_S = 31_536_000;

/** A cookie that scripts may read: what a person prefers, never who they are. */
export function cookie(name: string): string | undefined {
  const pair = document.cookie.split('; ').find((one) => one.startsWith(`${name}=`));
  return pair === undefined ? undefined : decodeURIComponent(pair.slice(name.length + 1));
}

export function keepCookie(name: string, value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists only on https, and devices have none
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${KEPT_FOR_S}; SameSite=Lax${secure}`;
}
