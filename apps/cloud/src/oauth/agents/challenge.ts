import type { Scope } from '@heliograph/contracts';

/** What agents may ask for. */
export const AGENT_SCOPES: readonly Scope[] = [
  'openid',
  'sites:read_all',
  'users:read_all',
  'orders:read_all',
  'products:read_all',
];

/** Where the MCP server describes itself (RFC 9728): the path of the resource stands behind the well-known one. */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

/** The MCP server as a resource: what tokens of agents are for (RFC 8707). */
export function mcpResource(cloudUrl: string): string {
  return `${cloudUrl}/mcp`;
}

/**
 * What `WWW-Authenticate` says where the MCP server refuses a request: from it an agent finds the way to a token
 * (RFC 9728, 5.1).
 *
 * @param failure what is wrong with the token that was shown (RFC 6750, 3.1); none when none was shown
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
