import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import type { DeviceStream } from '../../test/device-stream.ts';
import { useOneSite } from '../../test/one-site.ts';
import { head } from '../../test/raw-request.ts';

const site = useOneSite({});

/** With a head that is nearly as long as it may be, so that a chunk of a connection has few of them. */
const longRequest = (path: string): string =>
  head(`GET ${path} HTTP/1.1`, 'Host: x', ...site.headerLines, `X-Long: ${'x'.repeat(14_000)}`);
const WITHOUT_HOST = head('GET /api/v1/metrics HTTP/1.1');
/** More than the buffers of both systems take. */
const FLOOD_BYTES = 64 * 1024 * 1024;

/** In whole pieces, so that many bytes take a short time. */
async function openConnection(): Promise<Socket> {
  const { hostname, port } = new URL(site.system.proxy.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** The requests for a path that the device has not answered; it answers others at once. */
function unanswered(path: string): DeviceStream[] {
  const streams: DeviceStream[] = [];
  site.handle = (stream, headers) => {
    if (headers[':path'] === path) streams.push(stream);
    else answer(stream);
  };
  return streams;
}

function answer(stream: DeviceStream): void {
  stream.respond({ ':status': 200, 'content-length': 2 });
  stream.end('ok');
}

/** Writes until nothing was taken while other clients got ten answers, or so much was. @returns bytes that were taken */
async function writeUntilHeldBack(socket: Socket, part: string, maxBytes: number): Promise<number> {
  let bytes = 0;
  const fill = (): void => {
    while (bytes < maxBytes && socket.write(part)) bytes += part.length;
  };
  socket.on('drain', fill);
  fill();
  const held = async (): Promise<void> => {
    const before = bytes;
    for (let n = 0; n < 10; n++) await (await site.send()).text();
    if (bytes < maxBytes) expect(bytes).toBe(before);
  };
  await vi.waitFor(held, { timeout: 20_000 });
  return bytes;
}

test('nothing is read behind a request whose answer ends the connection, and the answers before it come', async () => {
  const slow = unanswered('/api/slow');
  const socket = await openConnection();
  let answers = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    answers += part;
  });
  socket.write(longRequest('/api/slow') + WITHOUT_HOST);
  await expect.poll(() => slow.length).toBe(1);
  expect(await writeUntilHeldBack(socket, longRequest('/api/ignored'), FLOOD_BYTES)).toBeLessThan(
    FLOOD_BYTES,
  );
  for (const stream of slow) answer(stream);
  await expect.poll(() => socket.closed).toBe(true);
  expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '400']);
});

test('a connection has a few requests under way at a time, and every request behind them is served', async () => {
  const slow = unanswered('/api/slow');
  const socket = await openConnection();
  let answers = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    answers += part;
  });
  socket.write(longRequest('/api/slow').repeat(100));
  await expect.poll(() => slow.length).toBeGreaterThan(7);
  await (await site.send()).text();
  expect(slow.length).toBeLessThan(20);
  for (let answered = 0; answered < 100; answered++) {
    await expect.poll(() => slow.length).toBeGreaterThan(answered);
    const stream = slow[answered];
    if (stream !== undefined) answer(stream);
  }
  await expect.poll(() => answers.match(/HTTP\/1\.1 200/g)?.length).toBe(100);
  socket.destroy();
});
