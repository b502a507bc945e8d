import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** How long hardware takes to answer a request, in milliseconds: a short one at 9600 baud. */
const ANSWER_MS = 30;

export interface TimedLine extends AsyncDisposable {
  readonly port: number;
  /** The frames that came in since the last call. */
  takeRequests(): readonly Buffer[];
}

/** A line to a Modbus TCP server, whose answers take the time of hardware. */
export async function startTimedLine(target: { host: string; port: number }): Promise<TimedLine> {
  const requests: Buffer[] = [];
  const server = createServer({ noDelay: true }, (client) => {
    const unit = connect({ ...target, noDelay: true });
    for (const [one, other] of [
      [client, unit],
      [unit, client],
    ] as const) {
      // Each end goes with the other one.
      one.on('error', () => {});
      one.on('close', () => other.destroy());
    }
    client.on('data', (request: Buffer) => {
      requests.push(request);
      setTimeout(() => unit.write(request), ANSWER_MS);
    });
    unit.on('data', (piece) => client.write(piece));
  });
  server.listen(0, target.host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  return {
    port: address.port,
    takeRequests: () => requests.splice(0),
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
}
