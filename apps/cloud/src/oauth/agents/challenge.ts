import type { Scope } from '@heliograph/contracts';

/** Scopes that agents may request. */
export const AGENT_SCOPES: readonly Scope[] = [
  'openid',
  'sites:read_all',
  'users:read_all',
  'orders:read_all',
  'products:read_all',
];

const MCP_PATH = '/mcp';

/** Paths of the MCP server: some agents add a slash, and a redirect would lose the body or the token of many. */
export const MCP_PATHS: readonly string[] = [MCP_PATH, `${MCP_PATH}/`];

/** Before the path of a resource, the path of its metadata (RFC 9728, 3.1). */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** The MCP server as a resource: what tokens of agents are for (RFC 8707). */
export function mcpResource(cloudUrl: string): string {
  return cloudUrl + MCP_PATH;
}

/** Whether an agent means the MCP server, which some name with a slash at its end, or by the cloud's address alone. */
export function isMcpResource(resource: string, mcpUrl: string): boolean {
  const named = spelled(resource).replace(/\/$/, '');
  const known = spelled(mcpUrl);
  return named === known || named === known.slice(0, -MCP_PATH.length);
}

/** An address in one spelling of scheme, host and port: they are free in the agent's and in the operator's. */
function spelled(url: string): string {
  return URL.parse(url)?.href ?? url;
}

/**
 * `WWW-Authenticate` of the MCP server's refusals, which leads an agent to a token (RFC 9728, 5.1).
 *
 * @param path of the request, one of MCP_PATHS: the metadata have to be of the very address that the agent uses (3.3)
 * @param failure of the token (RFC 6750, 3.1); undefined for a request without a token
 */
export function mcpChallenge(
  cloudUrl: string,
  path: string,
  failure?: { readonly error: 'invalid_token' | 'insufficient_scope'; readonly description: string },
): string {
  const parameters = {
    resource_metadata: cloudUrl + RESOURCE_METADATA + path,
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
