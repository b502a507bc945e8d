/** A year, in seconds. */
const KEPT_FOR_S = 31_536_000;

/** Keeps what a person prefers, never who they are. The server reads it, and makes its pages so. */
export function storePreference(name: string, value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists only on https, and devices have none
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${KEPT_FOR_S}; SameSite=Lax${secure}`;
}
