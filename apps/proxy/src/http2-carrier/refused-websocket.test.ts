import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import {
  connectRawDevice,
  DATA,
  END_HEADERS,
  END_STREAM,
  frame,
  HEADERS,
  hpack,
} from '../../test/http2-carrier/raw-http2-device.ts';
import { Http2Client, reply } from '../../test/http2-client.ts';
import { siteHeaders } from '../../test/test-cloud.ts';
import { startTestSystem, type TestSystem } from '../../test/test-system.ts';

const { certPath, keyPath, cert: ca } = TEST_TLS;
const BODY = 'no';

type Field = readonly [name: string, value: string];

let system: TestSystem;
let device: Socket;
let headers: Record<string, string>;
/** How the device refuses the next WebSocket. */
let fields: Field[] = [];
let bodyFlags = 0;
beforeAll(async () => {
  system = await startTestSystem({ limits: { answerMs: 200 } }, { tls: { certPath, keyPath } });
  headers = siteHeaders(await system.cloud.authorize(1));
  const token = await system.cloud.tunnelToken(1);
  const refuseIt = (stream: number, socket: Socket): void => {
    socket.write(frame(HEADERS, END_HEADERS, stream, hpack([':status', '403'], ...fields)));
    socket.write(frame(DATA, bodyFlags, stream, BODY));
  };
  device = await connectRawDevice(system.proxy.url, token, refuseIt, { ca });
  await vi.waitFor(() => expect(system.sites()).toContain(1), 10_000);
});
afterAll(async () => {
  device.destroy();
  await system.stop();
});

interface Answer {
  readonly status: number | undefined;
  readonly lengths: (string | undefined)[];
  readonly body: string;
}

const withHttp1 = async (): Promise<Answer> => {
  const socket = new WebSocket(`${system.proxy.url.replace('http', 'ws')}/api/websocket`, { headers, ca });
  socket.on('error', () => undefined);
  const [, res]: [unknown, IncomingMessage] = (await once(socket, 'unexpected-response')) as never;
  const { rawHeaders: raw } = res;
  const lengths = raw.filter((_text, i) => i % 2 === 1 && raw[i - 1]?.toLowerCase() === 'content-length');
  return { status: res.statusCode, lengths, body: await text(res) };
};

const withHttp2 = async (): Promise<Answer> => {
  const client = await Http2Client.connect(system.proxy.url);
  const connect = { ':method': 'CONNECT', ':protocol': 'websocket', ':scheme': 'https' };
  const {
    status,
    headers: got,
    body,
  } = await reply(client.open('/api/websocket', { ...lowerCase(headers), ...connect }, false)).finally(() =>
    client.close(),
  );
  return { status, lengths: [got['content-length']], body: String(body) };
};

describe.each([
  ['HTTP/1.1', withHttp1, 403],
  ['HTTP/2', withHttp2, 502],
] as const)('a client of %s whose WebSocket the device refuses', (_version, send, doubled) => {
  const expectRefusal = async (): Promise<void> =>
    expect(await send()).toEqual({ status: 403, lengths: [String(BODY.length)], body: BODY });

  test("the refusal has one content-length, whatever the device's headers", async () => {
    fields = [
      ['x-name', 'content-length'],
      ['x-other', 'b'],
      ['content-length', String(BODY.length)],
    ];
    bodyFlags = END_STREAM;
    await expectRefusal();
  });

  test('a refusal with a duplicate singleton header is answered', async () => {
    fields = [
      ['etag', 'a'],
      ['etag', 'b'],
    ];
    bodyFlags = END_STREAM;
    expect((await send()).status).toBe(doubled);
  });

  test('the client does not wait for the end of an endless refusal', async () => {
    fields = [];
    bodyFlags = 0;
    await expectRefusal();
  });
});

function lowerCase(mixed: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(mixed).map(([name, value]) => [name.toLowerCase(), value]));
}
