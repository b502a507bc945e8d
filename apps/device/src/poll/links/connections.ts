import { type Clock, ConfigError, systemClock } from '@heliograph/kit';
import type { MeterRole, UnitKind } from '@heliograph/metrics';
import type { BusAddress } from '../../bus/address.ts';
import type { Bus } from '../../bus/bus.ts';
import { type BusTimes, openByteBus, openJsonBus, openModbusBus } from '../../bus/open-bus.ts';
import type { ConnectionConfig } from '../../config/connection-config.ts';
import { type DriverFamily, type Hardware, NotRecognised, type Target } from '../../drivers/driver.ts';
import { reversedMeters } from '../../drivers/reversed-meters.ts';

/** A configured connection that can be opened. */
export interface Connection {
  readonly url: string;
  /** The part of the home that a meter there measures for the totals. */
  readonly role: MeterRole | undefined;
  /** The kinds that all hardware of its driver has a unit of, of those it can have with this role. */
  readonly kinds: readonly UnitKind[];
  /** The hardware's name for people. */
  readonly title: string;
  readonly bus: Bus;
  readonly open: () => Promise<Hardware>;
}

/** The configured connections, and the buses under them: units behind one gateway share its connection. */
export class Connections {
  readonly all: readonly Connection[];
  readonly #buses = new Map<string, Bus>();
  readonly #clock: Clock;

  /** @throws ConfigError when a connection names a family that there is not, or one that its bus cannot carry */
  constructor(
    configs: readonly ConnectionConfig[],
    families: ReadonlyMap<string, DriverFamily>,
    clock: Clock = systemClock,
  ) {
    this.#clock = clock;
    this.all = configs.map((config) => this.#connection(config, familyOf(config, families)));
  }

  /** Requests under way fail; nothing can be opened any more. */
  async close(): Promise<void> {
    await Promise.all([...this.#buses.values()].map((bus) => bus.close()));
  }

  #connection(config: ConnectionConfig, family: DriverFamily): Connection {
    const { address, unit, options, url, answerTimeoutMs, role } = config;
    const target: Target = { unit, role, options };
    const clock = this.#clock;
    const times: BusTimes = answerTimeoutMs === undefined ? {} : { answerTimeoutMs };
    const kinds = role === undefined ? (family.kinds ?? []) : (['meters'] as const);
    const named = { url, role, kinds, title: family.title };
    switch (family.speaks) {
      case 'modbus': {
        const bus = this.#bus('modbus', address, () => openModbusBus(address, family.line, clock, times));
        return {
          ...named,
          bus,
          open: async () => asConfigured(await family.open(bus, target, clock), config),
        };
      }
      case 'bytes': {
        const bus = this.#bus('bytes', address, () => openByteBus(address, family.line, clock, times));
        return {
          ...named,
          bus,
          open: async () => asConfigured(await family.open(bus, target, clock), config),
        };
      }
      case 'json': {
        const bus = this.#bus('json', address, () => openJsonBus(address, clock, times));
        return { ...named, bus, open: async () => asConfigured(await family.open(bus, target), config) };
      }
    }
  }

  #bus<B extends Bus>(speaks: DriverFamily['speaks'], address: BusAddress, open: () => B): B {
    const key = JSON.stringify([speaks, address]);
    // The same address and the same protocol on it: the same type of bus.
    const bus = (this.#buses.get(key) as B | undefined) ?? open();
    this.#buses.set(key, bus);
    return bus;
  }
}

/** @throws NotRecognised when a connection whose meter is configured has none */
function asConfigured(hardware: Hardware, { role, reversed = false }: ConnectionConfig): Hardware {
  const found = withMeter(hardware, role);
  return reversed ? reversedMeters(found) : found;
}

/** @throws NotRecognised when a connection with a role has no meter: a part of the totals would be missing unnoticed */
function withMeter(hardware: Hardware, role: MeterRole | undefined): Hardware {
  if (role === undefined || hardware.units.some(({ kind }) => kind === 'meters')) return hardware;
  throw new NotRecognised(`this is no meter: take the role ${role} out of its connection`);
}

function familyOf({ driver }: ConnectionConfig, families: ReadonlyMap<string, DriverFamily>): DriverFamily {
  const family = families.get(driver);
  if (family !== undefined) return family;
  throw new ConfigError(`there is no driver "${driver}"; there is ${[...families.keys()].join(', ')}`);
}
