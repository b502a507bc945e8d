import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';

/** A server that takes every connection, and beyond that sends what a test has it send. */
export interface PlainBroker {
  readonly url: string;
  /** All that came, as text of one byte each character. */
  readonly text: string;
  stop(): Promise<void>;
}

/** @param answer is called with all that one connection has sent so far, whenever there is more of it */
export async function startPlainBroker(answer: (text: string, socket: Socket) => void): Promise<PlainBroker> {
  const sockets = new Set<Socket>();
  let all = '';
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = '';
    socket.setEncoding('latin1');
    socket.write(Buffer.from([0x20, 2, 0, 0]));
    socket.on('error', () => {});
    socket.on('data', (piece: string) => {
      all += piece;
      text += piece;
      answer(text, socket);
    });
  });
  inPieces(server).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get text() {
      return all;
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The answer to the request that subscribes to some filters, of which this is the first; undefined before it has come. */
export function subscriptionAnswer(text: string, filter: string, filters = 1): Buffer | undefined {
  const at = text.indexOf(`\0${String.fromCharCode(filter.length)}${filter}`);
  if (at < 0) return undefined;
  // Its number comes before the length of the filter.
  const number = Buffer.from(text.slice(at - 2, at), 'latin1');
  return Buffer.concat([Buffer.from([0x90, 2 + filters]), number, Buffer.alloc(filters)]);
}

/** A short message to a client. */
export function messageTo(topic: string, text: string, { retain }: { retain: boolean }): Buffer {
  const body = Buffer.from(`\0${String.fromCharCode(topic.length)}${topic}${text}`);
  return Buffer.concat([Buffer.from([retain ? 0x31 : 0x30, body.length]), body]);
}
