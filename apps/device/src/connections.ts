import { ConfigError } from '@heliograph/kit';
import type { ModbusBus } from './bus/modbus-bus.ts';
import { modbusTcpBus } from './bus/modbus-tcp-bus.ts';
import type { ConnectionConfig } from './config/connection-url.ts';
import type { DriverFamily, Hardware } from './drivers/driver.ts';
import { sunspec } from './drivers/sunspec/index.ts';

/** Every family that a connection may name. */
const FAMILIES: readonly DriverFamily[] = [sunspec];

/** A configured connection that can be opened. */
export interface Connection {
  readonly url: string;
  readonly open: () => Promise<Hardware>;
}

/** The configured connections, and the buses under them: units behind one gateway share its connection. */
export class Connections {
  readonly all: readonly Connection[];
  readonly #buses = new Map<string, ModbusBus>();

  /** @throws ConfigError when a connection names a family that there is not */
  constructor(configs: readonly ConnectionConfig[]) {
    this.all = configs.map(({ family: name, host, port, unitId, url }) => {
      const family = familyOf(name);
      const bus = this.#bus(host, port);
      return { url, open: () => family.open(bus, unitId) };
    });
  }

  /** Requests under way fail; nothing can be opened any more. */
  async close(): Promise<void> {
    await Promise.all([...this.#buses.values()].map((bus) => bus.close()));
  }

  #bus(host: string, port: number): ModbusBus {
    const address = `${host}:${port}`;
    const bus = this.#buses.get(address) ?? modbusTcpBus({ host, port });
    this.#buses.set(address, bus);
    return bus;
  }
}

function familyOf(name: string): DriverFamily {
  const family = FAMILIES.find((candidate) => candidate.name === name);
  if (family !== undefined) return family;
  const known = FAMILIES.map((candidate) => candidate.name).join(', ');
  throw new ConfigError(`DEVICE_CONNECTIONS: there is no family "${name}"; there is ${known}`);
}
