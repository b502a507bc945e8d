import { SCOPES } from '../schemas/scopes.ts';

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
  { name: 'devices', description: 'Devices before and behind sites, and their activation' },
  { name: 'proxies', description: 'What devices are reached through, for operators' },
  { name: 'audit', description: 'Who changed what, when and from where' },
];

const scopes = Object.entries(SCOPES)
  .map(([scope, meaning]) => `| \`${scope}\` | ${meaning} |`)
  .join('\n');

/** Introduction of the document, in Markdown. */
export const CLOUD_INTRODUCTION = `
Accounts, sites, members and devices. Live data is not here: \`authorizeSite\` answers with a host and a token, and
the device's own API is called there.

Applications of third parties find what OAuth and OpenID Connect need at \`/.well-known/openid-configuration\`. Agents
that speak the Model Context Protocol ask at \`POST /mcp\`, with an API token or by signing in; \`tools/list\` tells what.

**Tokens.** Operations take \`Authorization: Bearer <token>\` unless they say otherwise. Cookies are never read, and
any origin may call. A token lacking the scope is refused with 403 before anything else happens; a scope does not
show records that the account cannot see, which are 404.

| Scope | What it allows |
| --- | --- |
${scopes}

**Lists** are paged with \`offset\` and \`limit\`.

**Errors** are \`{ "error": "a sentence" }\` or, about fields, \`{ "errors": { "field": ["what is wrong"] } }\`. Each
operation lists the statuses to be ready for. Besides, any may answer 429 or 503 with \`Retry-After\` when it is to be
asked again later. A method that a path does not have is 405, with \`Allow\`. Bodies have at most 64 KiB where an operation does not
take more, and nest at most 32 levels deep.
`.trim();
