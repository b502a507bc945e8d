import type { Scope } from '@heliograph/contracts';

/** Scopes that agents may request. */
export const AGENT_SCOPES: readonly Scope[] = [
  'openid',
  'sites:read_all',
  'users:read_all',
  'orders:read_all',
  'products:read_all',
];

/** Path of the MCP server's metadata (RFC 9728): the well-known path and that of the resource. */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

const MCP_PATH = '/mcp';

/** The MCP server as a resource: what tokens of agents are for (RFC 8707). */
export function mcpResource(cloudUrl: string): string {
  return cloudUrl + MCP_PATH;
}

/** Whether an agent means the MCP server, which some name with a slash at its end, or by the cloud's address alone. */
export function isMcpResource(resource: string, mcpUrl: string): boolean {
  const named = resource.replace(/\/$/, '');
  return named === mcpUrl || named === mcpUrl.slice(0, -MCP_PATH.length);
}

/**
 * `WWW-Authenticate` of the MCP server's refusals, which leads an agent to a token (RFC 9728, 5.1).
 *
 * @param failure of the token (RFC 6750, 3.1); undefined for a request without a token
 */
export function mcpChallenge(
  cloudUrl: string,
  failure?: { readonly error: 'invalid_token' | 'insufficient_scope'; readonly description: string },
): string {
  const parameters = {
    resource_metadata: cloudUrl + RESOURCE_METADATA_PATH,
    scope: AGENT_SCOPES.join(' '),
    ...(failure && { error: failure.error, error_description: quotable(failure.description) }),
  };
  const list = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${list.join(', ')}`;
}

/** Without what RFC 6750 leaves out of descriptions: quotes, backslashes and all that is not printable ASCII. */
function quotable(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');
}
