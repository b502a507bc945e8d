import type { Passkey } from '@heliograph/contracts';
import type { AuthenticatorAppRecord } from './factor-records.ts';
import type { PasskeyRecord } from './passkey-records.ts';

export function presentPasskey(passkey: PasskeyRecord): Passkey {
  return {
    id: passkey.id,
    name: passkey.name,
    host: passkey.rpId,
    credential_id: passkey.credentialId.toString('base64url'),
    backed_up: passkey.backedUp,
    created_at: passkey.createdAt.toISOString(),
    last_used_at: passkey.lastUsedAt?.toISOString() ?? null,
  };
}

/** @returns null for an app that is not confirmed by a code */
export function presentApp(app: AuthenticatorAppRecord | undefined) {
  if (app === undefined || app.confirmedAt === null) return null;
  return {
    created_at: app.confirmedAt.toISOString(),
    last_used_at: app.lastUsedAt?.toISOString() ?? null,
  };
}
