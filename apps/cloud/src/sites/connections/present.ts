import type { Connection, SiteConnections } from '@heliograph/contracts';
import type {
  ConnectionRecord,
  ConsentingUserRecord,
  OwnConnectionRecord,
  ShareRecord,
  SiteConnectionRecord,
} from './records.ts';

export function presentConnection(connection: OwnConnectionRecord): Connection {
  const { siteId, siteName } = connection;
  return { ...common(connection), site: siteId === null ? null : { id: siteId, name: siteName } };
}

export function presentSiteConnections(
  shares: readonly ShareRecord[],
  connections: readonly SiteConnectionRecord[],
): SiteConnections {
  return {
    organizations: shares.map(({ organizationId, organizationName, sharedBy, createdAt }) => ({
      organization: { id: organizationId, name: organizationName },
      shared_by: sharedBy && person(sharedBy),
      created_at: createdAt.toISOString(),
    })),
    connections: connections.map((connection) => ({ ...common(connection), user: person(connection) })),
  };
}

function common(connection: ConnectionRecord) {
  const { organizationId, organizationName } = connection;
  const isAgent = organizationId === null;
  return {
    id: connection.id,
    application: {
      name: connection.clientName,
      kind: isAgent ? ('agent' as const) : ('application' as const),
      client_id: isAgent ? null : connection.clientId,
    },
    organization: isAgent ? null : { id: organizationId, name: organizationName ?? '' },
    scopes: [...connection.scopes],
    created_at: connection.createdAt.toISOString(),
    expires_at: connection.expiresAt.toISOString(),
    last_used_at: connection.lastUsedAt?.toISOString() ?? null,
    last_used_address: connection.lastUsedAddress,
  };
}

function person({ userId, email, firstName, lastName }: ConsentingUserRecord) {
  return { id: userId, email, first_name: firstName, last_name: lastName };
}
