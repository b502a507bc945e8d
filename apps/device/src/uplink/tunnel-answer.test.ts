import { once } from 'node:events';
import { connect } from 'node:http2';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { Duplex, PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { TunnelServer } from './tunnel-server.ts';

const DATA = 0;
const END_STREAM = 1;
const HEAD_BYTES = 9;

/** Type, flags and length of each HTTP/2 frame (RFC 9113 section 4.1). */
function framesIn(bytes: Buffer): { type: number; flags: number; length: number }[] {
  const frames = [];
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const length = bytes.readUIntBE(at, 3);
    frames.push({ length, type: bytes.readUInt8(at + 3), flags: bytes.readUInt8(at + 4) });
    at += HEAD_BYTES + length;
  }
  return frames;
}

it('the frame with the last part of an answer ends its stream', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const socket = connectSocket((listener.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(listener, 'connection')) as [Socket];
  listener.close();
  const tunnel = new TunnelServer({
    request: (_request, response) => response.end('an answer'),
    connect: (_request, response) => response.end(),
  }).serve(accepted);
  const received: Buffer[] = [];
  const readable = socket.pipe(new PassThrough());
  socket.on('data', (part: Buffer) => received.push(part));
  const proxy = connect('http://device', {
    createConnection: () => Duplex.from({ readable, writable: socket }),
  });
  expect(await tunnel.up).toBe(true);
  const stream = proxy.request({ ':path': '/' });
  expect(await text(stream)).toBe('an answer');
  const data = framesIn(Buffer.concat(received)).filter(({ type }) => type === DATA);
  expect(data).toEqual([{ type: DATA, flags: END_STREAM, length: 'an answer'.length }]);
  proxy.destroy();
  tunnel.destroy();
  await tunnel.closed;
});
