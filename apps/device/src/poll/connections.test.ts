import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { ConnectionConfig } from '../config/connection-config.ts';
import { family as deye } from '../drivers/deye/index.ts';
import { family as pi18 } from '../drivers/pi18/index.ts';
import { Connections } from './connections.ts';

const running: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** A port that takes connections and keeps silent. */
async function silentPort(): Promise<number> {
  const server = createServer((socket) => void socket.on('error', () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  running.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it.each([
  ['modbus-tcp', deye],
  ['serial-tcp', pi18],
] as const)('hardware on %s is waited for as long as its connection names', async (transport, family) => {
  const address = { transport, host: '127.0.0.1', port: await silentPort() };
  const config: ConnectionConfig = {
    driver: family.name,
    address,
    unit: undefined,
    role: undefined,
    answerTimeoutMs: 210,
    options: {},
    url: 'its url',
  };
  const connections = new Connections([config], new Map([[family.name, family]]));
  running.push(() => connections.close());
  await expect(connections.all[0]?.open()).rejects.toThrow(/did not answer within 210 ms/);
});
