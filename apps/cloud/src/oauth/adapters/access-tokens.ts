import { SCOPES, type Scope } from '@heliograph/contracts';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { CodeExchanges } from '../code-exchanges.ts';
import type { AccessTokenRecord, GrantService } from '../grants/service.ts';
import type { GrantEnder } from './grants.ts';
import { UNUSED } from './unused.ts';

export interface AccessTokenAdapterOptions {
  readonly grants: GrantService;
  readonly exchanges: CodeExchanges;
  readonly ender: GrantEnder;
  /** The MCP server as a resource. */
  readonly mcpUrl: string;
  /** In milliseconds. */
  readonly now: () => number;
}

/** Access tokens: rows beside the API tokens and sessions of the service, so that they are looked up the same way. */
export function accessTokenAdapter(options: AccessTokenAdapterOptions): Adapter {
  const { grants, exchanges, ender, mcpUrl, now } = options;
  return {
    ...UNUSED,
    async upsert(id, { grantId, scope, aud }) {
      if (grantId === undefined) throw new Error('An access token belongs to a grant');
      const kind = aud === undefined ? 'oauth' : 'mcp';
      exchanges.issue({ value: id, grantId, kind, scopes: scopesOf(scope) });
    },
    async find(id) {
      const token = await grants.findToken(id);
      return token && payloadOf(id, token, mcpUrl, now());
    },
    async destroy(id) {
      const token = await grants.findToken(id);
      if (token !== undefined) await ender.revokeGrant(token.grantId);
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
