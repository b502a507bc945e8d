import { expect, it } from 'vitest';
import type { ConnectionStatus } from './connection-poller.ts';
import { silentConnections } from './silent-connections.ts';

const at = (state: ConnectionStatus['state'], since: number) => ({ status: { state, since } });

it('a connection that has failed for ten seconds is silent since its first failure', () => {
  const clock = { now: () => 100_000 };
  expect(
    silentConnections(
      [at('connected', 0), at('waiting', 0), at('failing', 90_000), at('failing', 90_001)],
      clock,
    ),
  ).toEqual([90_000]);
});
