import type { CloudClient } from '@heliograph/client';
import type { Live } from '../live.ts';

export const CUSTOMER_EMAIL = 'ada@heliograph.test';

/** A customer of the operator, with an API token. */
export async function customer(live: Live): Promise<CloudClient> {
  const found = await live.admin<readonly object[]>('users', 'list', CUSTOMER_EMAIL);
  if (found.length === 0) {
    const names = ['--first-name', 'Ada', '--last-name', 'Lovelace'];
    await live.admin('users', 'create', CUSTOMER_EMAIL, ...names);
  }
  const { token } = await live.admin<{ token: string }>(
    ...['tokens', 'create', CUSTOMER_EMAIL, '--name', 'Live run', '--scopes', 'all'],
  );
  return live.cloud(token);
}
