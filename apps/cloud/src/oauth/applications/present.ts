import { APPLICATION_SCOPES, type Application, type ApplicationWithSecret } from '@heliograph/contracts';
import type { ApplicationRecord } from './records.ts';

export function presentApplication(application: ApplicationRecord): Application {
  const { secretHint } = application;
  return {
    client_id: application.clientId,
    name: application.name,
    redirect_uris: [...application.redirectUris],
    browser_only: application.kind === 'public',
    scopes: APPLICATION_SCOPES.filter((scope) => application.scopes.includes(scope)),
    client_secret_hint: secretHint === null ? null : `…${secretHint}`,
    created_at: application.createdAt.toISOString(),
    last_used_at: application.lastUsedAt?.toISOString() ?? null,
  };
}

/** @param secret null for an application that has none */
export function presentWithSecret(
  application: ApplicationRecord,
  secret: string | null,
): ApplicationWithSecret {
  return { ...presentApplication(application), client_secret: secret };
}
