/** The demo account; its password and API token are generated on the first start. */
export const DEMO_ACCOUNT = {
  email: 'demo@heliograph.test',
  firstName: 'Demo',
  lastName: 'Account',
} as const;
export const DEMO_ORGANIZATION = { name: 'Demo organization' } as const;
