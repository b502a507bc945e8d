import { API_TOKEN_SCOPES, type ApiToken, type SessionSummary } from '@heliograph/contracts';
import type { OwnTokenRecord } from './own-tokens.ts';

export function presentApiToken(token: OwnTokenRecord): ApiToken {
  return {
    id: token.id,
    name: token.name ?? '',
    scopes: API_TOKEN_SCOPES.filter((scope) => token.scopes.includes(scope)),
    organization: organizationOf(token),
    ...lifetimeOf(token),
  };
}

/** @param currentId the caller's own session */
export function presentSessionSummary(session: OwnTokenRecord, currentId: number): SessionSummary {
  return {
    id: session.id,
    current: session.id === currentId,
    organization: organizationOf(session),
    ...lifetimeOf(session),
  };
}

function organizationOf({ organizationId, organizationName }: OwnTokenRecord): ApiToken['organization'] {
  return organizationId === null || organizationName === null
    ? null
    : { id: organizationId, name: organizationName };
}

function lifetimeOf({ createdAt, expiresAt, lastUsedAt, lastUsedAddress }: OwnTokenRecord) {
  return {
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
    last_used_address: lastUsedAddress,
  };
}
