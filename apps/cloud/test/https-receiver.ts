import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { inPieces } from '@heliograph/dev/in-pieces';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import type { GuardedFetchOptions } from '../src/common/outbound/guarded-fetch.ts';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** The sender's port: requests over one connection have the same. */
  readonly remotePort: number | undefined;
}

/** The status of an answer; `lost`: the receiver takes the request, and the connection ends without an answer. */
export type ReceiverAnswer = number | 'lost';

/** The names of the internet of a receiver: its own, one that is not in its certificate, and a private one. */
const NAMES: Readonly<Record<string, string[]>> = {
  localhost: ['127.0.0.1'],
  'renamed.example.org': ['127.0.0.1'],
  'inside.example.org': ['10.0.0.1'],
};

/** An internet whose one host is a receiver. */
export function internetOf(port: number): GuardedFetchOptions {
  return {
    resolve: async (name) => NAMES[name] ?? [],
    allowAddress: (address) => address === '127.0.0.1',
    ca: TEST_TLS.cert,
    port,
  };
}

/** A receiver of messages at `https://localhost`, which keeps all requests, whatever it answered. */
export interface HttpsReceiver extends AsyncDisposable {
  readonly port: number;
  readonly internet: GuardedFetchOptions;
  received: ReceivedRequest[];
  /** By default 200, and a body as most receivers send one; a promise delays the answer. */
  answer: (path: string) => ReceiverAnswer | Promise<ReceiverAnswer>;
  /** Forgets the requests, and answers by default again. */
  reset(): void;
}

export async function startHttpsReceiver(): Promise<HttpsReceiver> {
  const server = createServer({ cert: TEST_TLS.cert, key: TEST_TLS.key }, async (request, response) => {
    const { url: path = '/', headers } = request;
    const { remotePort } = request.socket;
    const body = await buffer(request);
    receiver.received.push({ path, headers, body, remotePort });
    const answer = await receiver.answer(path);
    if (answer === 'lost') request.socket.destroy();
    else if (answer === 204) response.writeHead(answer).end();
    else {
      response.writeHead(answer).write('re');
      response.end('ceived');
    }
  });
  await new Promise<void>((resolve) => inPieces(server).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: HttpsReceiver = {
    port,
    internet: internetOf(port),
    received: [],
    answer: () => 200,
    reset() {
      receiver.received = [];
      receiver.answer = () => 200;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
