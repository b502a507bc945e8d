import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, PASSWORD, startTestDevice, type TestDevice } from '../../../test/serve/api/test-device.ts';

const PER_ADDRESS = 20;

let device: TestDevice;
beforeAll(async () => {
  const limits = { headMs: 300, requestMs: 600, connections: 100, connectionsPerAddress: PER_ADDRESS };
  device = await startTestDevice({ limits });
});
afterAll(() => device.stop());

const dialled = async (): Promise<Socket> => {
  const socket = connect(device.api.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

/** The answer to these bytes until the connection closes. */
const answerTo = async (bytes: string): Promise<string> => {
  const socket = await dialled();
  socket.write(bytes);
  return text(socket);
};

const POST = [
  'POST /api/v1/metrics HTTP/1.1',
  'Host: device',
  `Authorization: ${basic(PASSWORD, 'admin')}`,
  'Content-Type: application/json',
].join('\r\n');

describe('a client on the network', () => {
  it.concurrent.each([
    ['sends nothing', ''],
    ['never ends its head', 'GET /api/v1/metrics HTTP/1.1\r\nHost: device\r\nX-Slow: '],
    ['never ends its body', `${POST}\r\nContent-Length: 1000\r\n\r\n{`],
    ['never ends its chunks', `${POST}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`],
  ])('a client that %s is answered 408 and closed', async (_what, bytes) => {
    const answer = await answerTo(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toMatch(/{"error":"The request did not come in time"}$/);
  });

  it.each([
    ['what is no HTTP', 'hello\r\n\r\n', 400],
    ['a header line that is none', 'GET / HTTP/1.1\r\nHost: device\r\nbroken\r\n\r\n', 400],
    ['a head of 100 KB', `GET / HTTP/1.1\r\nHost: device\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400],
  ])('a client that sends %s gets the usual form of a refusal', async (_what, bytes, status) => {
    const answer = await answerTo(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\ncontent-type: application\/json; charset=utf-8\r\n/i);
    expect(answer).toMatch(/\r\n\r\n{"error":"[^"]+"}$/);
  });

  it('one address cannot take more connections than its limit', async () => {
    const open = [];
    for (let n = 0; n < PER_ADDRESS; n++) open.push(await dialled());
    const beyond = await dialled();
    await once(beyond.resume(), 'close');
    for (const socket of open) socket.destroy();
    await expect
      .poll(() =>
        device.fetch('/healthz').then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  });
});
