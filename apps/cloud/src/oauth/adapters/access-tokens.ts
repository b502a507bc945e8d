import { SCOPES, type Scope } from '@heliograph/contracts';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { ServerPlatform } from '../../platform.ts';
import type { CodeExchanges } from '../code-exchanges.ts';
import { endGrant, findAccessToken } from '../grants/grants.ts';
import type { AccessTokenRecord } from '../grants/records.ts';
import { UNUSED } from './unused.ts';

/**
 * Access tokens: rows beside the API tokens and sessions of the service, so that they are looked up the same way.
 *
 * @param mcpUrl the MCP server as a resource
 */
export function accessTokenAdapter(
  platform: ServerPlatform,
  exchanges: CodeExchanges,
  mcpUrl: string,
): Adapter {
  return {
    ...UNUSED,
    async upsert(id, { grantId, scope, aud }) {
      if (grantId === undefined) throw new Error('An access token belongs to a grant');
      const kind = aud === undefined ? 'oauth' : 'mcp';
      exchanges.issue({ value: id, grantId, kind, scopes: scopesOf(scope) });
    },
    async find(id) {
      const token = await findAccessToken(platform, id);
      return token && payloadOf(id, token, mcpUrl, platform.clock.now());
    },
    async destroy(id) {
      const token = await findAccessToken(platform, id);
      if (token !== undefined) await endGrant(platform, token.grantId);
    },
  };
}

/** The OAuth server has no other clock than the system's, so what is left of a token's life counts from there. */
function payloadOf(id: string, token: AccessTokenRecord, mcpUrl: string, nowMs: number): AdapterPayload {
  const atS = (date: Date) => Math.floor((Date.now() - nowMs + date.getTime()) / 1000);
  return {
    kind: 'AccessToken',
    jti: id,
    accountId: String(token.userId),
    clientId: token.clientId,
    grantId: token.grantId,
    scope: token.scopes.join(' '),
    ...(token.kind === 'mcp' && { aud: mcpUrl }),
    iat: atS(token.createdAt),
    exp: atS(token.expiresAt),
  };
}

function scopesOf(scope = ''): Scope[] {
  return scope.split(' ').filter((name): name is Scope => Object.hasOwn(SCOPES, name));
}
