import type { Scope } from '@heliograph/contracts';

/** What the consent page says of each scope that can be asked for. The first two are the specification's words. */
export const SCOPE_TEXTS: Partial<Record<Scope, string>> = {
  openid: 'View your basic profile information (such as name and email address).',
  'sites:read_single': 'Read only access to the selected site and its associated monitoring data.',
  'sites:read_all': 'Read only access to every site that you can see and its monitoring data.',
  'users:read_all': 'Read the names and addresses of the people whom you can see.',
  'orders:read_all': 'Read your shop orders.',
  'products:read_all': 'Read the product catalogue.',
};
