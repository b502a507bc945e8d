import type { TunnelTicket } from '@heliograph/wire';
import { expect, test } from 'vitest';
import { RevokedTickets } from './revoked-tickets.ts';

const ticketOf = (uid: string, expiresAt: number): TunnelTicket => ({
  uid,
  siteId: 1,
  proxy: 'test-1',
  expiresAt,
  signedBy: 'key',
});

test.each([
  ['an older token', 'a', 99, true],
  ['the same token', 'a', 100, true],
  ['a newer token', 'a', 101, false],
  ['a token of another device', 'b', 99, false],
])(
  'RevokedTickets knows whether %s is covered (device %s, expiry %i: %s)',
  (_name, uid, expiresAt, isCovered) => {
    const revoked = new RevokedTickets(() => 0);
    revoked.add(ticketOf('a', 100));
    expect(revoked.covers(ticketOf(uid, expiresAt))).toBe(isCovered);
  },
);

test('a device that is sent away with an older token stays barred with its newer one', () => {
  const revoked = new RevokedTickets(() => 0);
  revoked.add(ticketOf('a', 100));
  revoked.add(ticketOf('a', 50));
  expect(revoked.covers(ticketOf('a', 100))).toBe(true);
});

test('a revoked token is forgotten only once it has expired', () => {
  let nowMs = 0;
  const revoked = new RevokedTickets(() => nowMs);
  revoked.add(ticketOf('a', 100));
  nowMs = 100;
  revoked.add(ticketOf('b', 200));
  expect(revoked.covers(ticketOf('a', 100))).toBe(true);
  nowMs = 101;
  revoked.add(ticketOf('b', 200));
  expect(revoked.covers(ticketOf('a', 100))).toBe(false);
  expect(revoked.covers(ticketOf('b', 200))).toBe(true);
});
