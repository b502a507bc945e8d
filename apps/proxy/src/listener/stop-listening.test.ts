import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AddressList, silentLogger } from '@heliograph/kit';
import { expect, test } from 'vitest';
import { ClientAddressResolver } from '../client-address/resolver.ts';
import { DEFAULT_LIMITS } from '../config/limits.ts';
import { Counters } from '../metrics/counters.ts';
import { RequestLog } from '../metrics/request-log.ts';
import { Listener } from './listener.ts';

const COUNT = 300;

/** Clients in a thread of their own, which connect while the front's is held up. */
const CLIENTS = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { connect } = require('node:net');
  const { port, connected, count } = workerData;
  let left = count;
  const answers = Array.from({ length: count }, () => new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      if (--left === 0) Atomics.store(connected, 0, 1), Atomics.notify(connected, 0);
    });
    socket.end('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n');
    socket.setEncoding('utf8').on('data', (part) => { answer += part; });
    socket.on('error', (error) => resolve(error.code));
    socket.on('end', () => resolve(answer.slice(answer.lastIndexOf('\\n') + 1)));
  }));
  Promise.all(answers).then((all) => parentPort.postMessage(all));
`;

test('connections in the backlog are served when the listener stops', async () => {
  const trusted = new AddressList([]);
  const unlimited = new AddressList(['127.0.0.1']);
  const listener = new Listener({
    handlers: {
      request: (_req, res) => {
        res.writeHead(200, { 'content-length': 6 });
        res.end('served');
      },
      webSocket: async () => undefined,
      tunnelAcceptor: () => undefined,
    },
    limits: DEFAULT_LIMITS,
    clientAddresses: new ClientAddressResolver({ trusted, unlimited, scheme: 'http' }),
    balancers: new AddressList([]),
    counters: new Counters(),
    requestLog: new RequestLog(silentLogger, undefined),
    certificates: undefined,
    logger: silentLogger,
    // No machine is so slow that the time for taking connections is over.
    monotonic: () => 0,
  });
  const port = await listener.listen('127.0.0.1', 0);
  const connected = new Int32Array(new SharedArrayBuffer(4));
  const clients = new Worker(CLIENTS, { eval: true, workerData: { port, connected, count: COUNT } });
  // The system connects them while this process takes none.
  Atomics.wait(connected, 0, 0, 60_000);
  const announced = once(clients, 'message');
  await listener.stopListening();
  expect((await announced)[0]).toEqual(Array(COUNT).fill('served'));
  await listener.close();
});
