import type { TunnelTicket } from '@heliograph/wire';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DeviceSession } from './device-session.ts';
import { SessionRegistry } from './session-registry.ts';

const ticketOf = (uid: string, siteId: number, expiresAt = 100): TunnelTicket => ({
  uid,
  siteId,
  proxy: 'test-1',
  expiresAt,
  signedBy: 'key',
});

function sessionOf(uid: string, siteId: number, expiresAt?: number): DeviceSession {
  // Only what the registry reads: it never touches the connection of a session.
  return { uid, siteId, ticket: ticketOf(uid, siteId, expiresAt) } as DeviceSession;
}

let registry: SessionRegistry;
let events: [event: string, session: DeviceSession, gracefully?: boolean][];
beforeEach(() => {
  events = [];
  registry = new SessionRegistry({
    added: (session) => events.push(['added', session]),
    removed: (session, gracefully) => events.push(['removed', session, gracefully]),
  });
});

describe('SessionRegistry', () => {
  test('a session is found by its site and by its device', () => {
    const session = sessionOf('a', 1);
    expect(registry.add(session)).toEqual([]);
    expect(registry.find(1)).toBe(session);
    expect(registry.findDevice('a')).toBe(session);
    expect(registry.find(2)).toBeUndefined();
    expect(registry.findDevice('b')).toBeUndefined();
    expect([...registry.all()]).toEqual([session]);
    expect(registry.size).toBe(1);
    expect(events).toEqual([['added', session]]);
  });

  test.each([
    ['an earlier connection of the same device', 'a', 1],
    ['another device of the same site', 'b', 1],
    ['the same device at another site', 'a', 2],
  ])('a new session replaces %s', (_name, uid, siteId) => {
    const [old, next] = [sessionOf(uid, siteId), sessionOf('a', 1)];
    registry.add(old);
    expect(registry.add(next)).toEqual([old]);
    expect([...registry.all()]).toEqual([next]);
    expect(registry.findDevice('a')).toBe(next);
    expect(registry.findDevice('b')).toBeUndefined();
    expect(events).toEqual([
      ['added', old],
      ['removed', old, true],
      ['added', next],
    ]);
  });

  test("a session replaces both the device of its site and its device's session elsewhere", () => {
    const [ofSite, ofDevice] = [sessionOf('b', 1), sessionOf('a', 2)];
    registry.add(ofSite);
    registry.add(ofDevice);
    expect(registry.add(sessionOf('a', 1))).toEqual([ofSite, ofDevice]);
    expect(registry.size).toBe(1);
  });

  test('a session that is removed is found no more, and removed once', () => {
    const session = sessionOf('a', 1);
    registry.add(session);
    registry.remove(session, false);
    registry.remove(session, true);
    expect(registry.find(1)).toBeUndefined();
    expect(registry.findDevice('a')).toBeUndefined();
    expect(events.slice(1)).toEqual([['removed', session, false]]);
  });

  test('a session that was replaced takes its successor with it no more', () => {
    const [old, next] = [sessionOf('a', 1), sessionOf('a', 1)];
    registry.add(old);
    registry.add(next);
    registry.remove(old, false);
    expect(registry.find(1)).toBe(next);
    expect(registry.findDevice('a')).toBe(next);
    expect(events).toHaveLength(3);
  });
});

test.each([
  ['an older ticket of another device of the site', ticketOf('b', 1, 99), true],
  ['a ticket of another device of the site that is as old', ticketOf('b', 1, 100), false],
  ['a newer ticket of another device of the site', ticketOf('b', 1, 101), false],
  ['an older ticket of the device for another site', ticketOf('a', 2, 99), true],
  ['a newer ticket of the device for another site', ticketOf('a', 2, 101), false],
  ['an older ticket of the device for its site', ticketOf('a', 1, 99), false],
  ['an older ticket of a stranger', ticketOf('c', 3, 1), false],
])('SessionRegistry knows whether %s is outdated', (_name, ticket, isOutdated) => {
  registry.add(sessionOf('a', 1, 100));
  expect(registry.isOutdated(ticket)).toBe(isOutdated);
});
