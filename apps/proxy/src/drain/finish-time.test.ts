import { silentLogger } from '@heliograph/kit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Drain, type DrainOptions } from './drain.ts';

/** How long requests may still take where devices have nowhere to go, in milliseconds. */
const FINISH_MS = 2_000;

let nowMs: number;
beforeEach(() => {
  nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** @param requests how many requests are under way */
function drainWith(requests: () => number, sessions: readonly object[]): Drain {
  // Only what a drain without another proxy asks for.
  return new Drain({
    registry: { size: sessions.length, all: () => sessions.values() },
    tunnels: { draining: false },
    inFlight: {
      get requests() {
        return requests();
      },
      endWebSockets: () => undefined,
    },
    announcer: () => undefined,
    logger: silentLogger,
  } as unknown as DrainOptions);
}

test('a proxy that stops while there is no other gives the requests of its devices two seconds', async () => {
  const session = { requestMove: vi.fn(), link: { drain: vi.fn(async () => undefined) } };
  await drainWith(() => 0, [session]).stop(async () => undefined);
  expect(session.link.drain.mock.calls).toEqual([[FINISH_MS, 'the proxy stops']]);
  expect(session.requestMove).toHaveBeenCalledOnce();
});

test('a proxy without devices waits two seconds for requests that are under way, and no longer', async () => {
  let looks = 0;
  let drained = false;
  const drain = drainWith(() => ++looks, []);
  const stopping = drain
    .stop(async () => undefined)
    .then(() => {
      drained = true;
    });
  await expect.poll(() => looks).toBeGreaterThan(0);
  nowMs = FINISH_MS - 1;
  const before = looks;
  await expect.poll(() => looks).toBeGreaterThan(before + 1);
  expect(drained).toBe(false);
  nowMs = FINISH_MS;
  await stopping;
});
