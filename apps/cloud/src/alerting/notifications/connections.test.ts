import { expect, it } from 'vitest';
import { Connections } from './connections.ts';
import type { Turn } from './message-queue.ts';

let turns = 0;

/** The turn of an account and a tenant of its own, unless they are named. */
function turnOf(turn: Partial<Turn> = {}): Turn {
  turns += 1;
  return {
    ...{ queueId: turns, userId: turns, tenant: -turns, channel: 'ntfy', locale: 'en', subscriptionId: null },
    ...{ endpoint: null, p256dh: null, auth: null, sealedNtfy: null, sealedTelegram: null },
    ...turn,
  };
}

interface Taken {
  readonly turn?: Partial<Turn>;
  /** Each has one of its own by default. */
  readonly server?: string;
  readonly isFailing?: boolean;
}

const take = (connections: Connections, { turn, server, isFailing = false }: Taken = {}) =>
  connections.take(turnOf(turn), server ?? `server-${turns}`, isFailing);

it.each<[string, number, 'busy' | 'full', Taken, Taken]>([
  ['an account', 2, 'full', { turn: { userId: 7 } }, { turn: { userId: 8 } }],
  ['an organization', 32, 'full', { turn: { tenant: 7 } }, { turn: { tenant: 8 } }],
  ['an ntfy server', 16, 'busy', { server: 'a' }, { server: 'b' }],
  [
    'a push server',
    32,
    'busy',
    { turn: { channel: 'push' }, server: 'a' },
    { turn: { channel: 'push' }, server: 'b' },
  ],
  [
    'Telegram',
    32,
    'busy',
    { turn: { channel: 'telegram' }, server: 'a' },
    { turn: { channel: 'telegram' }, server: 'b' },
  ],
])('%s has %d connections; one more is %s until one of them ends', (_what, limit, refusal, same, other) => {
  const connections = new Connections();
  const slots = Array.from({ length: limit }, () => take(connections, same));
  expect(slots.filter((slot) => typeof slot === 'string')).toEqual([]);
  expect(take(connections, same)).toBe(refusal);
  expect(take(connections, other)).toBeTypeOf('object');
  const [first] = slots;
  // One that is released twice gives room to one.
  for (let times = 1; times <= 2; times++) if (typeof first === 'object') connections.release(first);
  expect([take(connections, same), take(connections, same)]).toEqual([expect.any(Object), refusal]);
});

it('a process has 64 connections, 16 of them for channels that fail', () => {
  const connections = new Connections();
  const free = () => [connections.free(false), connections.free(true)];
  expect(free()).toEqual([64, 16]);
  const failing = Array.from({ length: 15 }, () => take(connections, { isFailing: true }));
  expect(free()).toEqual([49, 1]);
  for (let n = 1; n <= 48; n++) take(connections);
  expect(free()).toEqual([1, 1]);
  take(connections);
  expect(free()).toEqual([0, 0]);
  for (const slot of failing) if (typeof slot === 'object') connections.release(slot);
  expect(free()).toEqual([15, 15]);
});

it('accounts and organizations are full that have all their connections, and no others', () => {
  const connections = new Connections();
  take(connections, { turn: { userId: 1, tenant: 5 } });
  const second = take(connections, { turn: { userId: 2, tenant: 5 } });
  expect(connections.full()).toEqual({ accounts: [], tenants: [] });
  take(connections, { turn: { userId: 2, tenant: 5 } });
  expect(connections.full()).toEqual({ accounts: [2], tenants: [] });
  for (let n = 4; n <= 32; n++) take(connections, { turn: { tenant: 5 } });
  expect(connections.full()).toEqual({ accounts: [2], tenants: [5] });
  if (typeof second === 'object') connections.release(second);
  expect(connections.full()).toEqual({ accounts: [], tenants: [] });
});
