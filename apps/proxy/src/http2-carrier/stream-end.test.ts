import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  connectRawDevice,
  DATA,
  END_HEADERS,
  END_STREAM,
  frame,
  HEADERS,
  hpack,
} from '../../test/http2-carrier/raw-http2-device.ts';
import { startTestSystem, type TestSystem } from '../../test/test-system.ts';

const BODY = 'all of it';

let system: TestSystem;
let device: Socket;
/** Streams of requests that came, and of those that the proxy reset. */
const requested: number[] = [];
const reset: number[] = [];
beforeAll(async () => {
  system = await startTestSystem();
  const token = await system.cloud.tunnelToken(1);
  device = await connectRawDevice(
    system.proxy.url,
    token,
    (stream, socket) => {
      requested.push(stream);
      const head = hpack([':status', '200'], ['content-length', String(BODY.length)]);
      socket.write(frame(HEADERS, END_HEADERS, stream, head));
      socket.write(frame(DATA, 0, stream, BODY));
    },
    { onReset: (stream) => reset.push(stream) },
  );
  await vi.waitFor(() => expect(system.sites()).toContain(1), 10_000);
});
afterAll(async () => {
  device.destroy();
  await system.stop();
});

const read = async (): Promise<string> => {
  const response = await system.fetch('/api/v1/metrics', await system.cloud.authorize(1));
  return response.text();
};

describe('the stream of an answer whose declared length has come', () => {
  test('a stream that the device ends after its answer is not reset', async () => {
    expect(await read()).toBe(BODY);
    const [ended = 0] = requested.splice(0);
    device.write(frame(DATA, END_STREAM, ended));
    expect(await read()).toBe(BODY);
    const [left = 0] = requested.splice(0);
    // The proxy resets the other stream, which does not end, and nothing before it.
    await expect.poll(() => reset, { timeout: 10_000 }).toContain(left);
    expect(reset).not.toContain(ended);
  });
});
