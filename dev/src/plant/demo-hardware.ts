import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '@heliograph/kit';
import { recordedUnit } from '../modbus/index.ts';
import {
  type Attach,
  openPty,
  rtuUnits,
  serveDatagrams,
  serveLine,
  solarmanLogger,
} from '../serial/index.ts';
import { DeyeRegisters } from './deye/index.ts';
import type { SimulatedPlant } from './physics/simulated-plant.ts';
import { pi30Line } from './pi30/index.ts';
import { pylontechRs485 } from './pylontech/index.ts';
import { serveAtSamePort } from './same-port.ts';
import { serveShelly } from './shelly.ts';

/** How simulated hardware is written in a device's configuration file. */
export interface PlantConnection {
  readonly driver: string;
  readonly bus: string;
  readonly unit?: number;
}

/** The surroundings of a piece of hardware. */
interface DemoSite {
  /** Path at which its serial port appears, or its network port is remembered; the same from one start to the next. */
  readonly place: string;
  /** Its home, where it is simulated and not recorded. */
  readonly plant: SimulatedPlant;
  readonly clock: Clock;
}

/** A piece of hardware that can be reached. */
interface Reachable {
  readonly bus: string;
  readonly stop: () => unknown;
}

interface DemoUnit {
  readonly driver: string;
  readonly start: (site: DemoSite) => Promise<Reachable>;
}

/** The serial number that is printed on the simulated Solarman logger. */
const LOGGER = 2_712_345_678;

/** One behind each kind of connection, besides the home's own inverter with Modbus TCP. USB HID is not simulated. */
const DEMO_UNITS: readonly DemoUnit[] = [
  {
    driver: 'deye',
    start: async ({ place, plant, clock: { monotonic } }) => {
      const registers = new DeyeRegisters(plant, {
        profile: 'single-phase',
        serialNumber: '2600000001',
        monotonic,
      });
      const served = await onNetwork(place, solarmanLogger(registers, { logger: LOGGER }));
      return { ...served, bus: `solarman://${served.at}?logger=${LOGGER}` };
    },
  },
  {
    driver: 'pi30',
    start: async ({ place, plant }) => {
      const { path, stop } = onSerialPort(place, pi30Line(plant));
      return { bus: `serial://${encodeURI(path)}`, stop };
    },
  },
  {
    driver: 'growatt-tl-xh',
    start: async ({ place }) => {
      const unit = await recordedUnit('growatt-tl-xh', ['growatt_tlxh_discharging']);
      const served = await onNetwork(place, rtuUnits(unit, [unit.unitId]));
      return { ...served, bus: `modbus-rtu-tcp://${served.at}` };
    },
  },
  {
    driver: 'goodwe-et',
    start: async ({ place }) => {
      const unit = await recordedUnit('goodwe-et', ['goodwe_et_10k_fw617']);
      const served = await serveAtSamePort(place, (port) =>
        serveDatagrams(unit, { port, unitIds: [unit.unitId] }),
      );
      return { bus: `modbus-udp://${served.host}:${served.port}`, stop: () => served.stop() };
    },
  },
  {
    driver: 'pylontech',
    start: async ({ place, plant }) => {
      const served = await onNetwork(place, pylontechRs485(plant));
      return { ...served, bus: `serial-tcp://${served.at}` };
    },
  },
  {
    driver: 'seplos-v3',
    start: async ({ place }) => {
      const unit = await recordedUnit('seplos-v3', ['seplos_v3_two_packs']);
      const { path, stop } = onSerialPort(place, rtuUnits(unit, [unit.unitId]));
      return { bus: `modbus-rtu://${encodeURI(path)}`, stop };
    },
  },
  {
    driver: 'shelly',
    start: async ({ place, plant }) => {
      const served = await serveAtSamePort(place, (port) => serveShelly(plant, port));
      return { bus: `http://${served.host}:${served.port}`, stop: () => served.stop() };
    },
  },
];

/** @throws Error where there are no pseudo-terminals */
function onSerialPort(path: string, attach: Attach): { readonly path: string; readonly stop: () => void } {
  const pty = openPty(path);
  const detach = attach(pty.line);
  return {
    path,
    stop: () => {
      detach();
      pty.close();
    },
  };
}

async function onNetwork(
  place: string,
  attach: Attach,
): Promise<{ readonly at: string; readonly stop: () => unknown }> {
  const served = await serveAtSamePort(place, (port) => serveLine(attach, { port }));
  return { at: `${served.host}:${served.port}`, stop: () => served.stop() };
}

export interface DemoHardware {
  /** The connections of a device's configuration, one for each piece of hardware. */
  readonly connections: readonly PlantConnection[];
  close(): Promise<void>;
}

/**
 * Hardware behind each kind of connection.
 *
 * @param folder where serial ports appear and network ports are remembered
 * @param homeOf makes the home of a piece of hardware
 * @throws Error where there are no pseudo-terminals
 */
export async function openDemoHardware(
  folder: string,
  homeOf: (seed: number) => SimulatedPlant,
  clock: Clock = systemClock,
): Promise<DemoHardware> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await using undo = new AsyncDisposableStack();
  const connections: PlantConnection[] = [];
  for (const [index, { driver, start }] of DEMO_UNITS.entries()) {
    const { bus, stop } = await start({ place: join(folder, driver), plant: homeOf(index + 2), clock });
    undo.defer(async () => void (await stop()));
    connections.push({ driver, bus });
  }
  const open = undo.move();
  return { connections, close: () => open.disposeAsync() };
}
