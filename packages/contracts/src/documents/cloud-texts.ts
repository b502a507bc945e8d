import { SCOPES } from '../common/scopes.ts';

export const CLOUD_TAGS = [
  { name: 'accounts', description: 'Signing in and out, registering, passwords. Most need no token.' },
  { name: 'users', description: 'The own account, and the directory' },
  {
    name: 'second factor',
    description: 'Passkeys, authenticator apps and recovery codes of the own account',
  },
  { name: 'tokens', description: "The account's API tokens, and where it is signed in" },
  { name: 'sites', description: 'Installations with a device, and the way to their live data' },
  { name: 'members', description: 'Who may see and change a site' },
  { name: 'organizations', description: 'Companies that serve customers under their own name' },
  {
    name: 'connections',
    description: 'Applications of organizations, and what users allow third parties',
  },
  { name: 'products', description: 'What the operator and organizations sell' },
  { name: 'orders', description: 'What was bought, and whether it is paid' },
  { name: 'tickets', description: 'What customers ask, and what support answers' },
  { name: 'exports', description: 'Archives of what the service has about an account or a site' },
  { name: 'recovery sessions', description: 'Support that an owner lets in for a while' },
  { name: 'devices', description: 'Devices before and behind sites, and their activation' },
  { name: 'proxies', description: 'What devices are reached through, for operators' },
  { name: 'alerts', description: 'What is wrong at sites' },
  { name: 'events', description: 'What happens, in its order, for programs that read it to the end' },
  {
    name: 'delegations',
    description: 'What acts later on behalf of accounts, organizations and sites, who made it, and its end',
  },
  { name: 'webhooks', description: 'Events that the service posts to an address, each signed' },
  { name: 'notifications', description: 'What the account is notified of, and how' },
  { name: 'audit', description: 'Who changed what, when and from where' },
  {
    name: 'oauth',
    description: 'Access for applications of third parties and for agents: OAuth 2.1, OpenID Connect',
  },
  { name: 'agents', description: 'The server for the Model Context Protocol' },
];

const scopes = Object.entries(SCOPES)
  .map(([scope, meaning]) => `| \`${scope}\` | ${meaning} |`)
  .join('\n');

/** Endpoints and tools besides the operations, which protocols of their own describe. */
export interface OtherEndpoints {
  /** Of the OAuth and OpenID Connect server. */
  readonly oauth: readonly { readonly method: string; readonly path: string; readonly purpose: string }[];
  /** Tools of the MCP server, in the order in which agents see them. */
  readonly tools: readonly { readonly name: string; readonly title: string }[];
}

/** Introduction of the document, in Markdown. */
export const introductionOf = ({ oauth, tools }: OtherEndpoints): string =>
  `
Accounts, sites, members and devices. Live data is not here: \`authorizeSite\` answers with a host and a token, and
the device's own API is called there.

**Tokens.** Operations take \`Authorization: Bearer <token>\` unless they say otherwise. Cookies are never read, and
any origin may call. A token lacking the scope is refused with 403 before anything else happens; a scope does not
show records that the account cannot see, which are 404.

| Scope | What it allows |
| --- | --- |
${scopes}

**OAuth and OpenID Connect**, for applications of third parties and for agents. Libraries need the first of these alone:

| Endpoint | What it is for |
| --- | --- |
${oauth.map(({ method, path, purpose }) => `| \`${method}\` [${path}](${path}) | ${purpose} |`).join('\n')}

**Agents** that speak the Model Context Protocol ask at \`POST /mcp\`, with an API token or by signing in. \`tools/list\`
answers with the tools that the token may use, and their schemas:

| Tool | What it is for |
| --- | --- |
${tools.map(({ name, title }) => `| \`${name}\` | ${title} |`).join('\n')}

**Lists** are paged with \`offset\` and \`limit\`.

**Errors** are \`{ "error": "a sentence" }\` or, about fields, \`{ "errors": { "field": ["what is wrong"] } }\`. Each
operation lists the statuses to be ready for. Besides, any may answer 429 or 503 with \`Retry-After\` when it is to be
asked again later. A method that a path does not have is 405, with \`Allow\`. Bodies have at most 64 KiB where an operation does not
take more, and nest at most 32 levels deep. Text that is no Unicode, or has a NUL character, is 400 wherever it stands.
`.trim();
