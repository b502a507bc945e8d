import type { System } from '@heliograph/dev';
import type { Journal } from './journal.ts';
import { type Probe, until } from './probe.ts';
import { successorOf } from './successor.ts';

/** One proxy's restart, in milliseconds since the epoch. */
export interface Turn {
  readonly proxy: string;
  readonly host: string;
  readonly signalledAt: number;
  /** When its process was gone. */
  readonly endedAt: number;
  readonly listeningAt: number;
}

/** Longest orderly stop of a proxy, in milliseconds. */
const STOP_MS = 30_000;

/** Ends each proxy in an orderly way and starts it again, one after the other, as a new release would. */
export async function restartInTurn({ parts }: System, probe: Probe): Promise<readonly Turn[]> {
  const turns: Turn[] = [];
  for (const proxy of parts.proxies) {
    const { host } = await proxy.ready();
    const successor = successorOf(proxy);
    const signalledAt = Date.now();
    proxy.kill('SIGTERM');
    await successor.ended(STOP_MS);
    const endedAt = Date.now();
    await successor.listening();
    const listeningAt = Date.now();
    await until(`${proxy.name} to be ready`, () => isReady(host));
    await probe.untilAuthorized();
    await probe.untilReadable();
    turns.push({ proxy: proxy.name, host, signalledAt, endedAt, listeningAt });
  }
  return turns;
}

/**
 * The kernel takes connections for a process before the process does, and resets those that are left when it closes its
 * port. The client notices that while it connects, with an address in the message, or while it reads from a connection
 * which never carried an answer.
 */
const RESET_BEFORE_ANY_ANSWER = /ECONNRESET( \S+)? on a new connection$/;

/**
 * A request may be put off by a proxy that stops, or find its port closed, and then nothing of it reached a device.
 *
 * @returns every other failure, a sentence each
 */
export function restartFaults(turns: readonly Turn[], { failures }: Journal): string[] {
  return failures
    .filter(({ what, later, host, startedAt, endedAt, detail }) => {
      if (what === '503') return !later;
      const isAway = turns.some(
        (turn) => turn.host === host && endedAt >= turn.signalledAt && startedAt <= turn.listeningAt,
      );
      const isPortClosed = what === 'refused' || (what === 'broken' && RESET_BEFORE_ANY_ANSWER.test(detail));
      return !(isPortClosed && isAway);
    })
    .map(({ purpose, what, host, detail }) => `a ${purpose} at ${host} ended with ${what}: ${detail}`);
}

async function isReady(host: string): Promise<boolean> {
  return (await fetch(`http://${host}/readyz`)).ok;
}
