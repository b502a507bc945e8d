import { createSecureContext } from 'node:tls';
import { TUNNEL_PING_INTERVAL_MS } from '@heliograph/wire';
import { localAddress } from '../local-address.ts';
import { RawTunnelClient } from '../raw-tunnel-client.ts';

/** Idle devices of one process. */
export interface DevicesOrder {
  readonly proxyUrl: string;
  /** One a device. */
  readonly tokens: readonly string[];
  /** The number of the first device, from which its address follows. */
  readonly first: number;
  /** The certificate to trust, PEM, where the proxy speaks TLS. */
  readonly ca: string | undefined;
}

/** How many dial at a time, so that the listening queue does not overflow. */
const DIALLING = 100;
/** The devices' pings are spread over so many moments of their interval. */
const PING_SLOTS = 100;

process.once('message', async (order: DevicesOrder) => {
  const { hostname, port } = new URL(order.proxyUrl);
  const secureContext = order.ca === undefined ? undefined : createSecureContext({ ca: order.ca });
  const tunnels: RawTunnelClient[] = [];
  const dial = (index: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const tunnel = new RawTunnelClient({
        host: hostname,
        port: Number(port),
        token: order.tokens[index] ?? '',
        localAddress: localAddress(order.first + index),
        secureContext,
        onUp: resolve,
        onEnd: (status) => reject(new Error(`a tunnel ended: ${status ?? 'the connection was lost'}`)),
      });
      tunnels.push(tunnel);
    });
  let next = 0;
  const dialer = async (): Promise<void> => {
    while (next < order.tokens.length) await dial(next++);
  };
  await Promise.all(Array.from({ length: DIALLING }, dialer));
  let slot = 0;
  setInterval(() => {
    for (let index = slot; index < tunnels.length; index += PING_SLOTS) tunnels[index]?.ping();
    slot = (slot + 1) % PING_SLOTS;
  }, TUNNEL_PING_INTERVAL_MS / PING_SLOTS);
  process.send?.('up');
});
process.once('disconnect', () => process.kill(process.pid));
