import { once } from 'node:events';
import { createServer } from 'node:net';
import { messageOf } from '@heliograph/kit';
import { StartRefusal } from './start-refusal.ts';

/** Ports of the parts that users talk to; 0 lets the system pick. */
export interface Ports {
  readonly cloud: number;
  /** One for each proxy. */
  readonly proxies: readonly number[];
  readonly device: number;
}

/** The cloud's port, then those of the first proxy, the device and the further proxies; all free ones for 0. */
export function portsFrom(basePort: number, proxyCount = 1): Ports {
  const at = (offset: number): number => (basePort === 0 ? 0 : basePort + offset);
  const proxies = Array.from({ length: proxyCount }, (_, index) => at(index === 0 ? 1 : index + 2));
  return { cloud: at(0), proxies, device: at(2) };
}

/** @throws StartRefusal naming the first port that cannot be had */
export async function refuseTakenPorts({ cloud, proxies, device }: Ports): Promise<void> {
  const wanted = [
    ['cloud', cloud],
    ...proxies.map((port) => ['proxy', port] as const),
    ['device', device],
  ] as const;
  for (const [part, port] of wanted) {
    const refusal = port === 0 ? undefined : await refusalOf(port);
    if (refusal !== undefined) {
      throw new StartRefusal(
        `Port ${port}, which the ${part} needs, ${refusal}: choose others with HELIOGRAPH_PORT (0 for free ones)`,
      );
    }
  }
}

/** Why a loopback port cannot be listened on, or undefined. */
async function refusalOf(port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') return 'is taken by another program';
    return code === 'EACCES'
      ? 'is for the system administrator alone'
      : `cannot be used (${messageOf(error)})`;
  } finally {
    server.close();
  }
  return undefined;
}

/** Whether nothing listens on a loopback port right now. */
export async function isFree(port: number): Promise<boolean> {
  return (await refusalOf(port)) === undefined;
}
