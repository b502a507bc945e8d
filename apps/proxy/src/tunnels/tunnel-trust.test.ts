import { createLogger, type Logger } from '@heliograph/kit';
import type { TunnelTicket } from '@heliograph/wire';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Link } from '../links/link.ts';
import { DeviceSession } from './device-session.ts';
import { SessionRegistry } from './session-registry.ts';
import { TunnelAcceptor, type TunnelAcceptorOptions } from './tunnel-acceptor.ts';

/** For how long after its last token expired a retired key is published at the least, in milliseconds. */
const RETIRED_AFTER_MS = 4 * 24 * 60 * 60 * 1000;
const NOW_MS = 1_000_000_000_000;

afterEach(() => {
  vi.restoreAllMocks();
});

let lines: Record<string, unknown>[] = [];
function recordingLogger(): Logger {
  lines = [];
  return createLogger('test', 'info', { write: (line: string) => lines.push(JSON.parse(line)) });
}

function acceptorWith(...tickets: Partial<TunnelTicket>[]) {
  const registry = new SessionRegistry({ added: () => undefined, removed: () => undefined });
  const sessions = tickets.map((facts, i) => {
    const ticket = { uid: `uid-${i}`, siteId: i, proxy: 'a', expiresAt: NOW_MS, signedBy: 'known', ...facts };
    const end = vi.fn<(reason: string) => void>();
    // The acceptor only ends it.
    const session = new DeviceSession(ticket, { end } as unknown as Link);
    registry.add(session);
    return { session, end };
  });
  // Only what is asked for beside the handshake.
  const acceptor = new TunnelAcceptor({
    registry,
    keys: { has: (kid: string) => kid === 'known' },
    logger: recordingLogger(),
    now: () => NOW_MS,
  } as unknown as TunnelAcceptorOptions);
  return { acceptor, registry, sessions };
}

describe('TunnelAcceptor', () => {
  test('a tunnel ends whose key was withdrawn, unless the key may have retired since', () => {
    const { acceptor, sessions } = acceptorWith(
      { signedBy: 'known' },
      { signedBy: 'withdrawn' },
      { signedBy: 'withdrawn', expiresAt: NOW_MS - RETIRED_AFTER_MS + 1 },
      { signedBy: 'withdrawn', expiresAt: NOW_MS - RETIRED_AFTER_MS },
    );
    acceptor.endUntrusted();
    expect(sessions.map(({ end }) => end.mock.calls.length)).toEqual([0, 1, 1, 0]);
    expect(sessions[1]?.end).toHaveBeenCalledWith('the key that signed its tunnel token was withdrawn');
  });

  test('a revoked device loses its tunnel, and others keep theirs', () => {
    const { acceptor, sessions } = acceptorWith({}, {});
    acceptor.revoke('uid-1');
    acceptor.revoke('a stranger');
    expect(sessions.map(({ end }) => end.mock.calls.length)).toEqual([0, 1]);
  });
});
