import { TUNNEL_MOVE_SIGNAL } from '@heliograph/wire';
import { expect, test, vi } from 'vitest';
import type { Link } from '../links/link.ts';
import { DeviceSession } from './device-session.ts';

const TICKET = { uid: 'a', siteId: 1, proxy: 'test-1', expiresAt: 100, signedBy: 'key' };

/** @param openRequests requests under way on the connection */
function sessionWith(openRequests = 0) {
  const signal = vi.fn<Link['signal']>();
  // Only what a session asks of its connection.
  return { signal, session: new DeviceSession(TICKET, { openRequests, signal } as unknown as Link) };
}

test('a session has the device and the site of its ticket', () => {
  const { session } = sessionWith();
  expect([session.uid, session.siteId]).toEqual(['a', 1]);
});

test('a session with 10,000 requests under way takes no more', () => {
  expect(sessionWith(9_999).session.isSaturated).toBe(false);
  expect(sessionWith(10_000).session.isSaturated).toBe(true);
});

test('a session whose connection is congested takes no more', () => {
  const link = { openRequests: 0, isCongested: true } as Link;
  expect(new DeviceSession(TICKET, link).isSaturated).toBe(true);
});

test('a request to move is a signal of its own', () => {
  const { session, signal } = sessionWith();
  session.requestMove();
  expect(signal.mock.calls).toEqual([[TUNNEL_MOVE_SIGNAL]]);
});

test('revocations are sent as a signal, and nothing is sent without any', () => {
  const { session, signal } = sessionWith();
  session.sendRevocations(undefined);
  session.sendRevocations(Buffer.from('revoked!'));
  expect(signal.mock.calls).toEqual([[Buffer.from('revoked!')]]);
});
