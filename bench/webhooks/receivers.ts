import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { TEST_TLS } from '@heliograph/dev/testing/tls';

/** Sent first, by the process of the receivers. */
export interface ReceiversFacts {
  /** Each path of it is a receiver. */
  readonly url: string;
}

/** Answered with the events that arrived since the last order. */
export interface ReceiversOrder {
  /** The path that takes requests and does not answer them from now on. */
  readonly dead: string | null;
}

export interface ReceivedEvent {
  readonly path: string;
  readonly n: number;
  /** From before its transaction until it arrived. */
  readonly delayMs: number;
}

let dead: string | null = null;
let received: ReceivedEvent[] = [];

const server = createServer({ cert: TEST_TLS.cert, key: TEST_TLS.key }, async (request, response) => {
  const path = request.url ?? '';
  const body: { readonly data: { readonly n?: number; readonly began: number } } = JSON.parse(
    await text(request),
  );
  if (path === dead) return;
  const { n, began } = body.data;
  // The cloud has events of its own meanwhile, such as sites that are offline.
  if (n !== undefined) received.push({ path, n, delayMs: Date.now() - began });
  response.writeHead(204).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

process.on('message', (order: ReceiversOrder) => {
  dead = order.dead;
  process.send?.(received);
  received = [];
});
process.once('disconnect', () => process.exit());
process.send?.({
  url: `https://localhost:${(server.address() as AddressInfo).port}`,
} satisfies ReceiversFacts);
