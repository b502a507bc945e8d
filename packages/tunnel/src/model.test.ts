import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TunnelEnd, tunnelPair } from '../test/tunnel-pair.ts';
import type { VirtualConnection } from './virtual-connection.ts';

/** One thing that happens to one of a few connections, at the end that opened it or at the other one. */
const step = fc.record({
  connection: fc.nat(3),
  atOpener: fc.boolean(),
  act: fc.oneof(
    { weight: 5, arbitrary: fc.record({ write: fc.integer({ min: 1, max: 200_000 }) }) },
    { weight: 2, arbitrary: fc.constantFrom('pause', 'resume', 'turn') },
    { weight: 1, arbitrary: fc.constantFrom('end', 'destroy') },
  ),
});

/** The stream in one direction, as a model of it: bytes that count up, so that each has one place. */
class Direction {
  written = 0;
  received = 0;
  isEnded = false;
  sawEnd = false;
  isBroken = false;

  next(bytes: number): Buffer {
    const chunk = Buffer.allocUnsafe(bytes);
    for (let i = 0; i < bytes; i++) chunk[i] = (this.written + i) % 251;
    this.written += bytes;
    return chunk;
  }

  check(chunk: Buffer): void {
    for (const byte of chunk) if (byte !== this.received++ % 251) this.isBroken = true;
  }
}

interface Pair {
  readonly ends: readonly [VirtualConnection, VirtualConnection];
  /** From the first end to the second, and back. */
  readonly directions: readonly [Direction, Direction];
  isDestroyed: boolean;
}

async function openPair(near: TunnelEnd, far: TunnelEnd): Promise<Pair> {
  const opened = near.multiplexer.open();
  if (opened === undefined) throw new Error('the tunnel opens none');
  opened.on('error', () => undefined);
  const count = far.connections.length + 1;
  while (far.connections.length < count) await turn();
  const taken = far.connections[count - 1];
  if (taken === undefined) throw new Error('no connection came');
  const directions = [new Direction(), new Direction()] as const;
  taken
    .on('data', (chunk: Buffer) => directions[0].check(chunk))
    .on('end', () => {
      directions[0].sawEnd = true;
    });
  opened
    .on('data', (chunk: Buffer) => directions[1].check(chunk))
    .on('end', () => {
      directions[1].sawEnd = true;
    });
  return { ends: [opened, taken], directions, isDestroyed: false };
}

test('connections deliver what was written, in order and to its end, whatever else happens on the tunnel', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const [near, far] = await tunnelPair();
      const pairs: Pair[] = [];
      for (let i = 0; i < 4; i++) pairs.push(await openPair(near, far));
      for (const { connection, atOpener, act } of steps) {
        const pair = pairs[connection];
        if (pair === undefined || pair.isDestroyed) continue;
        const [end, out] = atOpener ? [pair.ends[0], pair.directions[0]] : [pair.ends[1], pair.directions[1]];
        if (typeof act === 'object') {
          if (!out.isEnded) end.write(out.next(act.write));
        } else if (act === 'pause') end.pause();
        else if (act === 'resume') end.resume();
        else if (act === 'turn') await turn();
        else if (act === 'end') {
          if (!out.isEnded) end.end();
          out.isEnded = true;
        } else {
          end.destroy();
          pair.isDestroyed = true;
        }
      }
      for (const { ends, directions, isDestroyed } of pairs) {
        if (isDestroyed) continue;
        for (const [i, end] of ends.entries()) {
          end.resume();
          if (directions[i]?.isEnded === false) end.end();
        }
      }
      await expect.poll(() => [near.multiplexer.size, far.multiplexer.size]).toEqual([0, 0]);
      for (const { directions, isDestroyed } of pairs) {
        for (const direction of directions) {
          expect(direction.isBroken).toBe(false);
          expect(direction.received).toBeLessThanOrEqual(direction.written);
          // Of a connection that was destroyed a part may be lost, and then it has no end.
          if (!isDestroyed || direction.sawEnd) expect(direction.received).toBe(direction.written);
          if (!isDestroyed) expect(direction.sawEnd).toBe(true);
        }
      }
      expect([near.closed, far.closed]).toEqual([[], []]);
      near.multiplexer.destroy();
      far.multiplexer.destroy();
    }),
    { numRuns: 40 },
  );
});
