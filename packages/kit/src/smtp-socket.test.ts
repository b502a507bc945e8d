import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { inPieces } from '@heliograph/dev/in-pieces';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectToMailServer } from './smtp-socket.ts';

const server = createServer((socket) => socket.end('220 ready\r\n'));
let port: number;
beforeAll(async () => {
  inPieces(server).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const attempt = (
  options: Parameters<typeof connectToMailServer>[0],
  signal = new AbortController().signal,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const connected = (error: Error | null, socket?: { readonly connection: Socket }) =>
      socket === undefined ? reject(error) : resolve(socket.connection);
    connectToMailServer(options, connected, signal);
  });

describe('a connection to a mail server', () => {
  it.each(['localhost', '127.0.0.1'])('a connection is made to %s', async (host) => {
    const socket = await attempt({ host, port });
    expect(await text(socket)).toBe('220 ready\r\n');
  });

  it('a server that refuses it is reported as nodemailer does', async () => {
    const failure = { code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' };
    await expect(attempt({ host: '127.0.0.1', port: 1 })).rejects.toMatchObject(failure);
  });

  it('a name that nothing knows is reported', async () => {
    await expect(attempt({ host: 'no-such-name.invalid', port })).rejects.toMatchObject({
      code: 'ESOCKET',
      originalCode: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/),
    });
  });

  it('an abort ends one that is being made', async () => {
    const aborting = new AbortController();
    const attempted = attempt({ host: 'localhost', port }, aborting.signal);
    aborting.abort();
    await expect(attempted).rejects.toMatchObject({ originalCode: 'ABORT_ERR' });
  });
});
