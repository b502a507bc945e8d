import { createHash } from 'node:crypto';

/** The application that the peer and the cloud both know, and the scopes that it requests. */
export const APPLICATION = {
  clientId: 'app_bench0123456789abcdef',
  name: 'The application of the benchmark',
  secret: 'hgc_bench-secret-0123456789012345678901234567890',
  redirectUri: 'https://app.example.org/callback',
  scope: 'openid sites:read_single',
} as const;

/** One verifier will do: what it costs to check one does not depend on it. */
const VERIFIER = 'bench-verifier-0123456789-0123456789-0123456789';

export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** The token request for a code. */
export function formFor(code: string): string {
  return new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: APPLICATION.redirectUri,
    client_id: APPLICATION.clientId,
    client_secret: APPLICATION.secret,
    code_verifier: VERIFIER,
  }).toString();
}
