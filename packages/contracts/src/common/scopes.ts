/** Permissions of a token. A token without an operation's scope is refused before the operation runs. */
export const SCOPES = {
  openid: 'identifies the consenting user',
  'sites:read_single': 'reads the one chosen site',
  'sites:read_all': 'reads every site the account sees; alone it changes nothing, whatever the role',
  'sites:write_all':
    'registers sites, adds, changes or removes members, and, where the account is owner or admin, changes settings of the hardware',
  'sites:recover_all': 'asks for and closes a support recovery session',
  'users:read_all': 'reads the directory',
  'orders:read_all': 'reads shop orders',
  'orders:write_all': 'marks orders paid',
  'products:read_all': 'reads the catalogue',
  'tickets:read_all': 'reads tickets',
  'tickets:write_all': 'replies to and updates tickets',
} as const;

export type Scope = keyof typeof SCOPES;

export const API_TOKEN_SCOPES = [
  'sites:read_all',
  'sites:write_all',
  'sites:recover_all',
  'users:read_all',
  'orders:read_all',
  'orders:write_all',
  'products:read_all',
  'tickets:read_all',
  'tickets:write_all',
] as const satisfies readonly Scope[];

export const SESSION_SCOPES: readonly Scope[] = [
  'sites:read_all',
  'sites:write_all',
  'sites:recover_all',
  'users:read_all',
];
