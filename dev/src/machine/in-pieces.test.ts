import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, connect as tlsConnect } from 'node:tls';
import { expect, it } from 'vitest';
import { TEST_TLS } from '../testing/test-tls.ts';
import { connectInPieces, inPieces } from './in-pieces.ts';

const WEATHER = '{"t":"25 °C, 1013 hPa"}';

/** The pieces in which a client receives the bytes of a peer. */
async function receivedFrom(
  answer: (socket: Socket) => void,
  isEncrypted: boolean,
): Promise<readonly string[]> {
  const serve = (socket: Socket): void => answer(socket.on('error', () => undefined));
  const server = inPieces(isEncrypted ? createTlsServer(TEST_TLS, serve) : createServer(serve));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const at = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  const client = isEncrypted
    ? tlsConnect({ ...at, ca: TEST_TLS.cert, servername: 'localhost' })
    : connect(at);
  const pieces: string[] = [];
  client.on('data', (piece: Buffer) => pieces.push(piece.toString('latin1')));
  await once(client, 'close');
  server.close();
  return pieces;
}

it.each([
  ['is ended', (socket: Socket): void => void socket.end(WEATHER)],
  [
    'is destroyed',
    (socket: Socket): void => {
      socket.write(WEATHER);
      socket.destroy();
    },
  ],
])(
  'a text arrives in pieces, cut within its degree sign, where the connection then %s',
  async (_how, answer) => {
    const pieces = ['{', '"t":"25 \xc2', '\xb0C', ', 1013 hPa"}'];
    expect(await receivedFrom(answer, false)).toEqual(pieces);
    expect(await receivedFrom(answer, true)).toEqual(pieces);
  },
);

it('several messages arrive in their order, each in pieces of its own', async () => {
  const answer = (socket: Socket): void => {
    for (const message of ['abcd', '', 'e', 'fg']) socket.write(message);
    socket.destroySoon();
  };
  expect(await receivedFrom(answer, false)).toEqual(['a', 'b', 'cd', 'e', 'f', 'g']);
});

it('a relay delivers in pieces what both ends write, and the end of either', async () => {
  const received: string[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('data', (piece: Buffer) => received.push(piece.toString('latin1')));
    socket.on('end', () => socket.end(WEATHER));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = await connectInPieces((server.address() as AddressInfo).port);
  const answered: string[] = [];
  client.on('data', (piece: Buffer) => answered.push(piece.toString('latin1')));
  client.end('{"wh":7}');
  await once(client, 'close');
  expect([received[0], received.join('')]).toEqual(['{', '{"wh":7}']);
  expect([answered[0], answered.join('')]).toEqual(['{', Buffer.from(WEATHER).toString('latin1')]);
  server.close();
});

it('a peer whose client reads nothing is destroyed all the same', async () => {
  const server = inPieces(
    createServer((socket) => socket.on('error', () => undefined).write(Buffer.alloc(16 << 20))),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const accepted = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  const [socket] = (await accepted) as [Socket];
  socket.destroy();
  await once(socket, 'close');
  client.destroy();
  server.close();
});
