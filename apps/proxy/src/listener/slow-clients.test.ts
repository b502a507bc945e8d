import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { useOneSite } from '../../test/one-site.ts';
import { head, rawConnection } from '../../test/raw-request.ts';
import { answering } from '../../test/test-system.ts';

const HEAD_MS = 1_000;
const BODY_MS = 1_500;
/** A timer may fire a little early. */
const TOLERANCE_MS = 50;
const PATH = '/api/v1/metrics';

const site = useOneSite({ limits: { headMs: HEAD_MS, bodyMs: BODY_MS } });

/** Sends a byte every now and then, so that the connection never rests. @returns what was answered until it closed */
async function drip(socket: Socket, bytes: string): Promise<string> {
  let answer = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    answer += part;
  });
  let at = 0;
  const timer = setInterval(() => socket.write(bytes[at++ % bytes.length] ?? ''), 20);
  // A byte may meet a connection that the server has just closed.
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(timer);
  return answer;
}

describe('Listener: slow clients', () => {
  const post = (line: string): string => head(`POST ${PATH} HTTP/1.1`, 'Host: x', ...site.headerLines, line);
  const slow: [what: string, begin: () => string, drips: string, limitMs: number][] = [
    ['its head', () => `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Slow: `, 'x', HEAD_MS],
    ['a body of a length', () => post('Content-Length: 1000'), 'x', BODY_MS],
    ['chunks', () => post('Transfer-Encoding: chunked'), '1\r\nx\r\n', BODY_MS],
  ];

  test.concurrent.each(slow)(
    'a client that is slow with %s gets 408 after the limit, and others are served',
    async (_what, begin, drips, limitMs) => {
      const startedAt = performance.now();
      const socket = await rawConnection(site.system.proxy.url);
      socket.write(begin());
      const answer = await drip(socket, drips);
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('{"error":"The request did not come in time"}');
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(limitMs - TOLERANCE_MS);
      site.handle = answering('served');
      expect(await (await site.send()).text()).toBe('served');
    },
  );

  test.concurrent('a connection without a request is closed', async () => {
    const socket = await rawConnection(site.system.proxy.url);
    socket.resume();
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });
});
