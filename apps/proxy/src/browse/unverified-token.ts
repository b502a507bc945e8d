/** The unverified site id in a token; empty if it has none. */
export function siteIdIn(token: string): string {
  const { site } = payloadOf(token);
  return Number.isSafeInteger(site) ? String(site) : '';
}

/** Whether a token claims to be of a support recovery session, be it good, expired or forged. */
export function isOfRecovery(token: string): boolean {
  return payloadOf(token).recovery !== undefined;
}

function payloadOf(token: string): { readonly site?: unknown; readonly recovery?: unknown } {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return Object.assign({}, payload);
  } catch {
    return {};
  }
}
