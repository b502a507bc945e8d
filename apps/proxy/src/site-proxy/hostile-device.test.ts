import { once } from 'node:events';
import type { VirtualConnection } from '@heliograph/tunnel';
import { FrameType, frameHead } from '@heliograph/tunnel/frames';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { RawDevice } from '../../test/raw-device.ts';
import { head, rawExchange } from '../../test/raw-request.ts';
import { siteHeaderLines, siteHeaders } from '../../test/test-cloud.ts';
import { answering, startTestSystem, type TestSystem } from '../../test/test-system.ts';

let system: TestSystem;
let hostile: RawDevice;
/** Called at the hostile device when the head of a request has come. */
let answer: (connection: VirtualConnection, head: string) => void = () => undefined;
beforeAll(async () => {
  system = await startTestSystem({ limits: { answerMs: 2_000 }, leftMs: 100 });
  await system.connectDevice(1, answering('well'));
  await connectHostile();
});
afterAll(async () => {
  hostile.kill();
  await system.stop();
});

async function connectHostile(): Promise<void> {
  hostile = await RawDevice.connect(system.proxy.url, await system.cloud.tunnelToken(2), (connection) => {
    let received = '';
    connection.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const requestHead = received.slice(0, end);
      received = '';
      answer(connection, requestHead);
    });
  });
  await vi.waitFor(() => expect(system.sites()).toContain(2), 10_000);
}

/** The hostile device answers every request with these bytes. */
function answerWith(...bytes: readonly (string | Buffer)[]): void {
  answer = (connection) => {
    for (const part of bytes) connection.write(part);
  };
}

const OK = 'HTTP/1.1 200 OK\r\n';
const WELL = `${OK}content-length: 10\r\n\r\nwell again`;

async function fetchHostile(init?: RequestInit): Promise<Response> {
  if (hostile.closed) await connectHostile();
  return system.fetch('/api/v1/metrics', await system.cloud.authorize(2), init);
}

async function expectBadGateway(): Promise<void> {
  const response = await fetchHostile();
  expect(response.status).toBe(502);
  expect(await response.json()).toEqual({ error: expect.any(String) });
}

/** A good device beside it, and the next good answer of the same device, come through. */
async function expectOthersWell(): Promise<void> {
  const well = await system.fetch('/api/v1/metrics', await system.cloud.authorize(1));
  expect(await well.text()).toBe('well');
  answerWith(WELL);
  expect(await (await fetchHostile()).text()).toBe('well again');
}

describe('a malformed answer of a device', () => {
  test.each<[string, string]>([
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['a status that is a word', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['a status beyond the known classes', 'HTTP/1.1 700 OK\r\ncontent-length: 0\r\n\r\n'],
    ['status 0', 'HTTP/1.1 000 OK\r\ncontent-length: 0\r\n\r\n'],
    ['status 100, which the proxy did not ask for', 'HTTP/1.1 100 Continue\r\n\r\n'],
    [
      'an upgrade that nobody asked for',
      'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['another version', 'HTTP/3.0 200 OK\r\ncontent-length: 0\r\n\r\n'],
    ['two lengths', `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
    ['a length that is not a number', `${OK}content-length: x\r\n\r\n`],
    ['a negative length', `${OK}content-length: -1\r\n\r\n`],
    [
      'a length and chunks',
      `${OK}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    ],
    ['a line end in a name', `${OK}x\n-a: b\r\n\r\n`],
    ['a space before the colon', `${OK}x-a : b\r\n\r\n`],
    ['a zero byte in a value', `${OK}etag: a\0b\r\n\r\n`],
    ['a bare carriage return in a value', `${OK}etag: a\rset-cookie: evil=1\r\n\r\n`],
    ['a head of 40 KB', `${OK}x-long: ${'v'.repeat(40_000)}\r\n\r\n`],
    ['a thousand headers of 40 bytes', `${OK}${`x-many: ${'v'.repeat(32)}\r\n`.repeat(1_000)}\r\n`],
    ['an empty answer before the end', ''],
  ])('an answer with %s fails that request alone', async (_name, bytes) => {
    answer = (connection) => {
      connection.write(bytes);
      if (bytes === '') connection.end();
    };
    await expectBadGateway();
    await expectOthersWell();
  });

  test('a few interim answers are dropped, and a flood of them fails that request alone', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n';
    answerWith(interim.repeat(10), WELL);
    expect(await (await fetchHostile()).text()).toBe('well again');
    answerWith(interim.repeat(1_000), WELL);
    await expectBadGateway();
    await expectOthersWell();
  });

  test('a head that never ends is cut off', async () => {
    answer = (connection) => {
      connection.write(OK);
      const goOn = (): void => {
        while (!connection.destroyed && connection.write(`x-more: ${'v'.repeat(1_000)}\r\n`));
      };
      connection.on('drain', goOn);
      goOn();
    };
    await expectBadGateway();
    await expectOthersWell();
  });

  test.each([
    ['more body than its length', `${OK}content-length: 3\r\n\r\nabcdef`, 'abc'],
    ['two answers', `${OK}content-length: 3\r\n\r\nabc${OK}content-length: 4\r\n\r\nevil`, 'abc'],
  ])('an answer with %s gives no byte to the next request', async (_name, bytes, passed) => {
    answerWith(bytes);
    expect(await (await fetchHostile()).text()).toBe(passed);
    await expectOthersWell();
  });

  test('an answer that comes before its request ends its connection, and reaches no client', async () => {
    answerWith(WELL);
    expect(await (await fetchHostile()).text()).toBe('well again');
    const used = hostile.connections.at(-1);
    used?.write(`${OK}content-length: 4\r\n\r\nevil`);
    await expect.poll(() => used?.destroyed).toBe(true);
    expect(await (await fetchHostile()).text()).toBe('well again');
    expect(hostile.connections.at(-1)).not.toBe(used);
  });

  test.each([
    ['less body than its length', `${OK}content-length: 6\r\n\r\nabc`],
    ['chunks that never end', `${OK}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`],
    ['a chunk of a wrong length', `${OK}transfer-encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n`],
    ['chunk extensions of a megabyte', `${OK}transfer-encoding: chunked\r\n\r\n3;${'x'.repeat(1_000_000)}`],
  ])('an answer with %s is not forwarded as complete', async (_name, bytes) => {
    answer = (connection) => {
      connection.write(bytes, () => connection.end());
    };
    const outcome = await fetchHostile()
      .then((response) => response.text())
      .catch(() => 'cut off');
    expect(outcome).toMatch(/^cut off$|^{"error":/);
    await expectOthersWell();
  });
});

describe('a misbehaving device', () => {
  test('a connection that breaks in the middle of a body cuts the client off', async () => {
    answer = (connection) => {
      connection.write(`${OK}content-length: 6\r\n\r\nabc`);
    };
    const cutOff = await fetchHostile();
    hostile.connections.at(-1)?.destroy();
    await expect(cutOff.text()).rejects.toThrow();
    await expectOthersWell();
  });

  test('an answer before the end of a body ends the connection, and the rest goes to no other request', async () => {
    const heads: string[] = [];
    answer = (connection, requestHead) => {
      heads.push(requestHead);
      connection.write(WELL);
    };
    const body = 'x'.repeat(500_000);
    const answered = await fetchHostile({ method: 'POST', body });
    expect(await answered.text()).toBe('well again');
    const used = hostile.connections.at(-1);
    await expect.poll(() => used?.destroyed).toBe(true);
    expect(await (await fetchHostile()).text()).toBe('well again');
    expect(heads.at(-1)).toMatch(/^GET \/api\/v1\/metrics HTTP\/1.1\r\n/);
  });

  test('a body in chunks of one byte reaches the client in few writes', async () => {
    answer = (connection) => {
      connection.write(`${OK}transfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(5_000)}0\r\n\r\n`);
    };
    if (hostile.closed) await connectHostile();
    const lines = siteHeaderLines(await system.cloud.authorize(2));
    const received = await rawExchange(
      system.proxy.url,
      head('GET /api/v1/metrics HTTP/1.1', 'Host: x', 'Connection: close', ...lines),
    );
    const chunks = [...received.matchAll(/^([\da-f]+)\r\n(x+)\r$/gm)];
    expect(chunks.map(([, , bytes = '']) => bytes).join('')).toHaveLength(5_000);
    expect(chunks.length).toBeLessThan(500);
    await expectOthersWell();
  });

  test('a device that never reads holds up its own requests alone', async () => {
    answer = () => undefined;
    const stuck = await RawDevice.connect(system.proxy.url, await system.cloud.tunnelToken(3), (connection) =>
      connection.pause(),
    );
    await vi.waitFor(() => expect(system.sites()).toContain(3), 10_000);
    const credentials = await system.cloud.authorize(3);
    const body = 'x'.repeat(1_000_000);
    const held = Promise.all(
      Array.from({ length: 20 }, () =>
        system.fetch('/api/v1/metrics', credentials, { method: 'POST', body }),
      ),
    );
    await expectOthersWell();
    expect((await held).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 504));
    stuck.kill();
  });

  test.each([
    ['garbage', Buffer.alloc(8_192, 0xff)],
    ['a connection of its own', frameHead(FrameType.OPEN, 0, 1_000_000)],
    [
      'data on a connection of nobody',
      Buffer.concat([frameHead(FrameType.DATA, 4, 999_999), Buffer.from('evil')]),
    ],
    [
      'credit without end',
      Buffer.concat(Array.from({ length: 9 }, () => frameHead(FrameType.CREDIT, 0xffffff, 1))),
    ],
  ])('a device that sends %s is cut off, and its requests fail', async (_name, bytes) => {
    answer = () => undefined;
    const token = await system.cloud.tunnelToken(4);
    const device = await RawDevice.connect(system.proxy.url, token, (connection) => {
      connection.once('data', () => device.socket.write(bytes));
    });
    await vi.waitFor(() => expect(system.sites()).toContain(4), 10_000);
    const response = await system.fetch('/api/v1/metrics', await system.cloud.authorize(4));
    expect(response.status).toBe(502);
    await expect.poll(() => device.closed).toBe(true);
    await expectOthersWell();
  });

  test('a device that leaves, and ends nothing, is cut off though it shows life', async () => {
    const requested = Promise.withResolvers<void>();
    const token = await system.cloud.tunnelToken(5);
    const device = await RawDevice.connect(system.proxy.url, token, (connection) => {
      connection.once('data', requested.resolve);
    });
    await vi.waitFor(() => expect(system.sites()).toContain(5), 10_000);
    const response = system.fetch('/api/v1/metrics', await system.cloud.authorize(5));
    await requested.promise;
    device.multiplexer.leave();
    const pings = setInterval(() => device.multiplexer.ping(), 10);
    expect((await response).status).toBe(502);
    await expect.poll(() => device.closed).toBe(true);
    clearInterval(pings);
  });

  test('an ordinary answer to the handshake of a WebSocket is refused', async () => {
    answer = (connection) => {
      connection.write(`${OK}content-length: 4\r\n\r\nevil`);
    };
    const socket = new WebSocket(`ws://${system.proxy.host}/api/websocket`, {
      headers: siteHeaders(await system.cloud.authorize(2)),
    });
    socket.on('error', () => undefined);
    const [, response] = await once(socket, 'unexpected-response');
    expect(response.statusCode).toBe(502);
    await expectOthersWell();
  });

  test('a request that stays unread again and again fails, and goes to no other device', async () => {
    let requests = 0;
    answer = (connection) => {
      requests++;
      connection.write('HTTP/1.1 503 Unread\r\nheliograph-unread: 1\r\ncontent-length: 0\r\n\r\n');
    };
    const response = await fetchHostile({ method: 'POST', body: 'on' });
    expect([response.status, requests]).toEqual([502, 2]);
    expect(response.headers.has('heliograph-unread')).toBe(false);
    await expectOthersWell();
  });
});

describe('an answer at the shared host', () => {
  const OFFENSIVE = [
    ['set-cookie', '__Host-heliograph_site=x; Path=/; Secure'],
    ['set-cookie', 'a=b; Domain=example.org'],
    ['clear-site-data', '"*"'],
    ['strict-transport-security', 'max-age=31536000; includeSubDomains'],
    ['alt-svc', 'h3="evil.example:443"; ma=2592000'],
    ['nel', '{"report_to":"evil","max_age":2592000}'],
    ['report-to', '{"group":"evil","max_age":2592000,"endpoints":[{"url":"https://evil.example"}]}'],
    ['reporting-endpoints', 'evil="https://evil.example"'],
    ['public-key-pins', 'pin-sha256="x"; max-age=2592000'],
    ['service-worker-allowed', '/'],
    ['refresh', '0; url=https://evil.example'],
    ['link', '<https://evil.example/x.js>; rel=preload; as=script'],
    ['location', 'http://127.0.0.1/'],
    ['www-authenticate', 'Basic realm="Sign in"'],
    ['access-control-allow-credentials', 'true'],
    ['server-timing', 'x;dur=1'],
    ['x-frame-options', 'ALLOWALL'],
    ['proxy-authenticate', 'Basic'],
    ['x-request-id', 'forged'],
  ] as const;
  const page = (fields: readonly (readonly [string, string])[]): string =>
    `${OK}content-length: 4\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\npage`;

  test('headers that would affect other sites are dropped', async () => {
    answerWith(page([['content-type', 'text/html'], ...OFFENSIVE]));
    const { headers } = await fetchHostile();
    const passed = OFFENSIVE.map(([name]) => name).filter(
      (name) => headers.has(name) && headers.get(name) !== 'forged',
    );
    expect(passed).toEqual(['x-request-id']);
    expect(headers.get('x-request-id')).not.toBe('forged');
    expect(headers.get('content-type')).toBe('text/html');
  });

  test('a page of a device runs no script', async () => {
    answerWith(
      page([
        ['content-type', 'text/html'],
        ['content-security-policy', 'x'],
      ]),
    );
    const { headers } = await fetchHostile();
    expect(headers.get('content-security-policy')).toBe(
      "sandbox; default-src 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('headers that describe the data are forwarded', async () => {
    const useful = [
      ['content-type', 'application/json'],
      ['cache-control', 'no-store'],
      ['retry-after', '60'],
      ['etag', '"a"'],
      ['mcp-session-id', 's'],
    ] as const;
    answerWith(page(useful));
    const { headers } = await fetchHostile();
    for (const [name, value] of useful) expect(headers.get(name)).toBe(value);
  });
});
