import { once } from 'node:events';
import type { Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { socketPair, type TunnelEnd, tunnelEnd, tunnelPair } from '../test/tunnel-pair.ts';
import { FrameType, frameHead } from './frames.ts';
import { CREDIT_BYTES, type VirtualConnection, WINDOW_BYTES } from './virtual-connection.ts';

let ends: TunnelEnd[] = [];
let raw: Socket | undefined;
afterEach(() => {
  for (const { multiplexer } of ends) multiplexer.destroy();
  raw?.destroy();
  ends = [];
});

async function pair(): Promise<[near: TunnelEnd, far: TunnelEnd]> {
  const both = await tunnelPair();
  ends = [...both];
  return both;
}

/** One end whose other end is written by hand. */
async function against(opens: boolean): Promise<[end: TunnelEnd, other: Socket]> {
  const [socket, other] = await socketPair();
  const end = tunnelEnd(socket, opens);
  ends = [end];
  raw = other;
  other.on('error', () => undefined);
  return [end, other];
}

function opened({ multiplexer }: TunnelEnd): VirtualConnection {
  const connection = multiplexer.open();
  if (connection === undefined) throw new Error('the tunnel opens none');
  connection.on('error', () => undefined);
  return connection;
}

/** The other end of the connection that was opened last. */
async function taken({ connections }: TunnelEnd, count = 1): Promise<VirtualConnection> {
  await expect.poll(() => connections).toHaveLength(count);
  const last = connections.at(-1);
  if (last === undefined) throw new Error('no connection came');
  return last;
}

describe('a virtual connection', () => {
  test('bytes arrive in both directions, and each direction has its own end', async () => {
    const [near, far] = await pair();
    const here = opened(near);
    here.end('question');
    const there = await taken(far);
    expect(await text(there)).toBe('question');
    there.end('answer');
    expect(await text(here)).toBe('answer');
    await expect.poll(() => [near.multiplexer.size, far.multiplexer.size]).toEqual([0, 0]);
  });

  test('ten megabytes arrive whole through a window of 64 KiB', async () => {
    const [near, far] = await pair();
    const sent = Buffer.from(Array.from({ length: 1_000 }, (_, i) => i % 256));
    const here = opened(near);
    const there = await taken(far);
    const received = buffer(there);
    for (let i = 0; i < 10_000; i++) if (!here.write(sent)) await once(here, 'drain');
    here.end();
    expect((await received).equals(Buffer.concat(Array.from({ length: 10_000 }, () => sent)))).toBe(true);
  });

  test('a reader that does not read holds up its writer, and no other connection', async () => {
    const [near, far] = await pair();
    const slow = opened(near);
    await taken(far);
    let sentBytes = 0;
    while (slow.write(Buffer.alloc(10_000))) sentBytes += 10_000;
    const quick = opened(near);
    quick.end('soon');
    expect(await text(await taken(far, 2))).toBe('soon');
    expect(slow.writableNeedDrain).toBe(true);
    expect(sentBytes).toBeLessThan(4 * WINDOW_BYTES);
    const [unread] = far.connections;
    unread?.resume();
    await once(slow, 'drain');
  });

  test('a connection that is destroyed is reset at the other end', async () => {
    const [near, far] = await pair();
    const here = opened(near);
    here.write('half');
    const there = await taken(far);
    const reset = once(there, 'error');
    here.destroy();
    expect(await reset).toEqual([expect.objectContaining({ code: 'ERR_TUNNEL_RESET' })]);
    expect([near.multiplexer.size, far.multiplexer.size]).toEqual([0, 0]);
  });

  test('an answer that has its end is read whole, though its writer goes', async () => {
    const [near, far] = await pair();
    const here = opened(near);
    const there = await taken(far);
    here.end('all of it');
    await once(here, 'finish');
    here.destroy();
    expect(await text(there)).toBe('all of it');
  });

  test('destroySoon ends after what was written, and drops what still comes', async () => {
    const [near, far] = await pair();
    const here = opened(near);
    const there = await taken(far);
    here.write('never read');
    there.write('an answer');
    there.destroySoon();
    expect(await text(here)).toBe('an answer');
    here.end();
    await expect.poll(() => far.multiplexer.size).toBe(0);
  });

  test('every connection is reset when the tunnel breaks', async () => {
    const [near, far] = await pair();
    const errors = [opened(near), opened(near)].map((connection) => once(connection, 'error'));
    await taken(far, 2);
    far.multiplexer.destroy();
    for (const error of errors)
      expect(await error).toEqual([expect.objectContaining({ code: 'ERR_TUNNEL_RESET' })]);
    expect(near.multiplexer.open()).toBeUndefined();
  });
});

describe('a tunnel', () => {
  test('signals arrive whole and in order', async () => {
    const [near, far] = await pair();
    near.multiplexer.signal(Buffer.from('move-on!'));
    near.multiplexer.signal(Buffer.from('revoked!'));
    await expect.poll(() => far.signals).toEqual(['move-on!', 'revoked!']);
  });

  test('an end that is left takes its leave too, and both close when no connection is left', async () => {
    const [near, far] = await pair();
    const here = opened(near);
    const there = await taken(far);
    far.multiplexer.leave();
    await expect.poll(() => near.left).toBe(true);
    expect(near.multiplexer.open()).toBeUndefined();
    await expect.poll(() => far.left).toBe(true);
    expect([near.closed, far.closed]).toEqual([[], []]);
    there.end('last words');
    here.end();
    expect(await text(here)).toBe('last words');
    there.resume();
    await expect.poll(() => [near.closed, far.closed]).toEqual([[undefined], [undefined]]);
  });

  test('an end that cuts the tunnel on purpose takes its leave first', async () => {
    const [near, far] = await pair();
    const here = opened(near);
    await taken(far);
    near.multiplexer.end('it is not trusted any more');
    await expect.poll(() => far.closed).toHaveLength(1);
    expect([far.left, near.closed, here.destroyed]).toEqual([true, ['it is not trusted any more'], true]);
  });

  test('a connection that was opened before the leave was known is taken', async () => {
    const [near, far] = await pair();
    far.multiplexer.leave();
    opened(near).end('in time');
    expect(await text(await taken(far))).toBe('in time');
  });

  test('an end that never reads has no more than a bounded number of bytes waiting for it', async () => {
    const [end, other] = await against(true);
    other.pause();
    let count = 0;
    // As requests that are taken back and made again.
    for (; count < 100_000; count++) {
      const connection = end.multiplexer.open();
      if (connection === undefined) break;
      connection.on('error', () => undefined);
      connection.write(Buffer.alloc(16 * 1024));
      connection.destroy();
    }
    expect(count).toBeLessThan(1_000);
    expect(end.multiplexer.isCongested).toBe(true);
    other.resume();
    await expect.poll(() => end.multiplexer.isCongested).toBe(false);
    expect(opened(end).destroyed).toBe(false);
  });

  test('a slow connection beneath holds up every writer, and loses nothing of what they write', async () => {
    const [near, far] = await pair();
    const received: Promise<Buffer>[] = [];
    const sent = Array.from({ length: 20 }, (_, i) => Buffer.alloc(300_000, i));
    for (const [i, bytes] of sent.entries()) {
      opened(near).end(bytes);
      received.push(buffer(await taken(far, i + 1)));
    }
    expect((await Promise.all(received)).map((bytes, i) => bytes.equals(sent[i] ?? bytes))).toEqual(
      sent.map(() => true),
    );
  });

  test('a ping after the last connection has ended takes nothing away from what is still on its way', async () => {
    const [near, farSocket] = await against(true);
    const far = tunnelEnd(farSocket, false);
    ends.push(far);
    const write = farSocket._writev?.bind(farSocket);
    // The network takes a while.
    farSocket._writev = (chunks, done) => void setTimeout(() => write?.(chunks, done), 100);
    const here = opened(near);
    here.end('question');
    const there = await taken(far);
    there.resume().end(Buffer.alloc(20_000));
    far.multiplexer.leave();
    near.multiplexer.leave();
    await expect.poll(() => farSocket.writableEnded).toBe(true);
    far.multiplexer.ping();
    expect(await buffer(here)).toHaveLength(20_000);
    await expect.poll(() => [near.closed, far.closed]).toEqual([[undefined], [undefined]]);
  });

  test('an end that pings without reading has no more answers waiting than one', async () => {
    const [socket, other] = await socketPair();
    const end = tunnelEnd(socket, true);
    ends = [end];
    raw = other;
    other.on('error', () => undefined);
    const writers = Array.from({ length: 200 }, () => opened(end));
    for (const writer of writers) writer.write(Buffer.alloc(30_000));
    await expect.poll(() => socket.writableNeedDrain).toBe(true);
    const waiting = socket.writableLength;
    for (let i = 0; i < 5; i++) {
      const { bytesRead } = socket;
      other.write(frameHead(FrameType.PING, 0, i));
      await expect.poll(() => socket.bytesRead).toBeGreaterThan(bytesRead);
    }
    expect(socket.writableLength).toBe(waiting);
    other.resume();
    await expect.poll(() => socket.writableLength).toBe(0);
  });

  test('a thousand pings in a row are answered once', async () => {
    const [, other] = await against(true);
    let received = Buffer.alloc(0);
    other.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
    });
    other.write(Buffer.concat(Array.from({ length: 1_000 }, (_, i) => frameHead(FrameType.PING, 0, i))));
    await expect.poll(() => received.subarray(-8).equals(frameHead(FrameType.PONG, 0, 999))).toBe(true);
    expect(received.length).toBeLessThan(100 * 8);
  });
});

describe('an end that breaks the protocol', () => {
  const data = (connection: number, bytes: number): Buffer =>
    Buffer.concat([frameHead(FrameType.DATA, bytes, connection), Buffer.alloc(bytes)]);

  const shortFrames = (count: number): Buffer[] => Array.from({ length: count }, () => data(1, 1));

  test.each<[string, Buffer[], string]>([
    ['data on a connection that was never opened', [data(2, 1)], 'connection 2 was never opened'],
    ['data on number 0', [data(0, 1)], 'connection 0 was never opened'],
    ['an opened connection', [frameHead(FrameType.OPEN, 0, 2)], 'connection 2 after 1'],
    ['a second end', [frameHead(FrameType.END, 0, 1), frameHead(FrameType.END, 0, 1)], 'ended twice'],
    ['data after the end', [frameHead(FrameType.END, 0, 1), data(1, 1)], 'more data than'],
    ['more data than the window', [data(1, WINDOW_BYTES), data(1, 1)], 'more data than'],
    ['no credit', [frameHead(FrameType.CREDIT, 0, 1)], 'credit of 0 bytes'],
    ['credit in small pieces', [frameHead(FrameType.CREDIT, CREDIT_BYTES - 1, 1)], 'credit of 32767 bytes'],
    ['credit beyond the window', [frameHead(FrameType.CREDIT, CREDIT_BYTES, 1)], 'credit of 32768 bytes'],
    ['more short frames than the window has places for', shortFrames(257), 'more data than'],
    ['an unknown frame', [frameHead(9 as FrameType, 0, 1)], 'unknown type 9'],
  ])('%s ends the tunnel with its reason', async (_what, frames, reason) => {
    const [end, other] = await against(true);
    opened(end);
    other.resume();
    other.write(Buffer.concat(frames));
    await expect
      .poll(() => end.closed)
      .toEqual([
        expect.stringMatching(new RegExp(`^the other end broke the tunnel's protocol: .*${reason}`)),
      ]);
  });

  test('data for a connection that was reset is dropped', async () => {
    const [end, other] = await against(true);
    const connection = opened(end);
    other.resume();
    connection.destroy();
    other.write(
      Buffer.concat([data(1, 1_000), frameHead(FrameType.END, 0, 1), frameHead(FrameType.RESET, 0, 1)]),
    );
    other.write(Buffer.concat([frameHead(FrameType.SIGNAL, 8, 0), Buffer.from('and then')]));
    await expect.poll(() => end.signals).toEqual(['and then']);
  });

  test('resets of a connection that ended are taken once', async () => {
    const [end, other] = await against(true);
    const connection = opened(end);
    other.resume();
    const reset = frameHead(FrameType.RESET, 0, 1);
    other.write(Buffer.concat([data(1, 5), frameHead(FrameType.END, 0, 1), reset, reset, reset]));
    other.write(Buffer.concat([frameHead(FrameType.SIGNAL, 8, 0), Buffer.from('and then')]));
    await expect.poll(() => end.signals).toEqual(['and then']);
    expect([connection.listenerCount('end'), end.multiplexer.size]).toEqual([1, 0]);
    expect((await buffer(connection)).length).toBe(5);
  });

  test('a part that waits to be read keeps no more memory than it has bytes', async () => {
    const [end, other] = await against(true);
    const connection = opened(end);
    other.resume();
    connection.pause();
    const pongs = Buffer.concat(Array.from({ length: 8_000 }, () => frameHead(FrameType.PONG, 0, 0)));
    for (let i = 0; i < 50; i++) other.write(Buffer.concat([data(1, 1), pongs]));
    other.write(Buffer.concat([frameHead(FrameType.SIGNAL, 8, 0), Buffer.from('all came')]));
    await expect.poll(() => end.signals).toEqual(['all came']);
    const kept = new Set<ArrayBufferLike>();
    for (;;) {
      const part: Buffer | null = connection.read(1);
      if (part === null) break;
      kept.add(part.buffer);
    }
    const bytes = [...kept].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(bytes).toBeLessThan(256 * 1024);
  });

  test('numbers of connections that do not follow one another end the tunnel', async () => {
    const [end, other] = await against(false);
    other.resume();
    other.write(frameHead(FrameType.OPEN, 0, 1));
    other.write(frameHead(FrameType.OPEN, 0, 3));
    await expect.poll(() => end.closed).toEqual([expect.stringContaining('connection 3 after 1')]);
  });

  test('a tunnel that was cut reports nothing of the rest of the same bytes', async () => {
    const [end, other] = await against(true);
    opened(end);
    other.resume();
    const signal = Buffer.concat([frameHead(FrameType.SIGNAL, 8, 0), Buffer.from('too late')]);
    other.write(Buffer.concat([data(9, 1), signal]));
    await expect.poll(() => end.closed).toHaveLength(1);
    expect(end.signals).toEqual([]);
  });

  test('an opener that never reads is cut off when it opens without end', async () => {
    const [end, other] = await against(false);
    other.pause();
    let id = 0;
    const flood = (): void => {
      const frames = Array.from({ length: 10_000 }, () => frameHead(FrameType.OPEN, 0, ++id));
      other.write(Buffer.concat(frames), () => other.destroyed || id >= 5_000_000 || flood());
    };
    flood();
    await expect
      .poll(() => end.closed, { timeout: 20_000 })
      .toEqual(['the other end opens connections, and does not read']);
  });

  test('an opener that reads late keeps its tunnel, however many answers wait for it', async () => {
    const [end, other] = await against(false);
    other.pause();
    const open = (from: number, count: number): Buffer =>
      Buffer.concat(Array.from({ length: count }, (_, i) => frameHead(FrameType.OPEN, 0, from + i)));
    other.write(open(1, 1_100));
    await expect.poll(() => end.connections).toHaveLength(1_100);
    for (const connection of end.connections) connection.write(Buffer.alloc(CREDIT_BYTES));
    other.write(open(1_101, 1));
    await expect.poll(() => end.connections).toHaveLength(1_101);
    expect(end.closed).toEqual([]);
  });

  test('an opener beyond the limit has its connections reset', async () => {
    const [end, other] = await against(false);
    let resets = 0;
    other.on('data', (chunk: Buffer) => {
      for (let at = 0; at + 8 <= chunk.length; at += 8) if (chunk[at] === FrameType.RESET) resets++;
    });
    other.write(Buffer.concat(Array.from({ length: 10_005 }, (_, i) => frameHead(FrameType.OPEN, 0, i + 1))));
    await expect.poll(() => resets).toBe(5);
    expect(end.multiplexer.size).toBe(10_000);
  });
});
