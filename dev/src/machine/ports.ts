import { unavailableReason } from './free-port.ts';
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
export async function assertPortsAvailable({ cloud, proxies, device }: Ports): Promise<void> {
  const wanted = [
    ['cloud', cloud],
    ...proxies.map((port) => ['proxy', port] as const),
    ['device', device],
  ] as const;
  for (const [part, port] of wanted) {
    const refusal = port === 0 ? undefined : await unavailableReason(port);
    if (refusal !== undefined) {
      throw new StartRefusal(
        `Port ${port}, which the ${part} needs, ${refusal}: choose others with HELIOGRAPH_PORT (0 for free ones)`,
      );
    }
  }
}
