import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { TEST_TLS } from '@heliograph/dev/testing/tls';

/** Sent first, by the process of the receivers. */
export interface ReceiversFacts {
  /** An ntfy server, each of whose topics is a receiver. */
  readonly url: string;
}

/** Sent for each message that arrives at a topic of `/served/`. */
export interface ArrivedMessage {
  readonly topic: string;
  readonly atMs: number;
}

const server = createServer({ cert: TEST_TLS.cert, key: TEST_TLS.key }, async (request, response) => {
  const body = await text(request);
  if (request.url?.startsWith('/holds/')) return;
  if (request.url?.startsWith('/fails/')) {
    response.writeHead(503).end();
    return;
  }
  const { topic }: { topic: string } = JSON.parse(body);
  process.send?.({ topic, atMs: Date.now() } satisfies ArrivedMessage);
  response.writeHead(200).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

process.once('disconnect', () => process.exit());
process.send?.({
  url: `https://localhost:${(server.address() as AddressInfo).port}`,
} satisfies ReceiversFacts);
