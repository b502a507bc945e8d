/** Who the demo account is; its password and API token are made on the first start. */
export const DEMO_ACCOUNT = {
  email: 'demo@heliograph.test',
  firstName: 'Demo',
  lastName: 'Account',
} as const;
export const DEMO_ORGANIZATION = { name: 'Demo organization' } as const;
