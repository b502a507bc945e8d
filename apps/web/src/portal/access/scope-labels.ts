import type { Scope } from '@heliograph/client';

/** Labels of scopes, in the namespace `account`. */
export const SCOPE_LABELS = {
  openid: 'scopes.identity',
  'sites:read_single': 'scopes.siteRead',
  'sites:read_all': 'scopes.sitesRead',
  'sites:write_all': 'scopes.sitesWrite',
  'sites:recover_all': 'scopes.sitesRecover',
  'users:read_all': 'scopes.usersRead',
  'orders:read_all': 'scopes.ordersRead',
  'orders:write_all': 'scopes.ordersWrite',
  'products:read_all': 'scopes.productsRead',
  'tickets:read_all': 'scopes.ticketsRead',
  'tickets:write_all': 'scopes.ticketsWrite',
} as const satisfies Record<Scope, string>;

interface ScopeGroup {
  readonly title: 'scopes.sites' | 'scopes.people' | 'scopes.shop' | 'scopes.support';
  readonly scopes: readonly Scope[];
}

/** The scopes of an API token, by subject. */
export const SCOPE_GROUPS: readonly ScopeGroup[] = [
  { title: 'scopes.sites', scopes: ['sites:read_all', 'sites:write_all', 'sites:recover_all'] },
  { title: 'scopes.people', scopes: ['users:read_all'] },
  { title: 'scopes.shop', scopes: ['products:read_all', 'orders:read_all', 'orders:write_all'] },
  { title: 'scopes.support', scopes: ['tickets:read_all', 'tickets:write_all'] },
];
