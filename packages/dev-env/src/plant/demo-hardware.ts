import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '@heliograph/kit';
import { type Attach, openPty, rtuUnits } from '../serial/index.ts';
import { DeyeRegisters } from './deye/index.ts';
import { jkUart } from './jk/index.ts';
import type { SimulatedPlant } from './physics/simulated-plant.ts';
import { pi30Line } from './pi30/index.ts';
import { pylontechRs485 } from './pylontech/index.ts';
import { batteryMonitorLine, solarChargerLine } from './victron/index.ts';
import { serveGx } from './victron-gx/index.ts';

/** How simulated hardware is written in a device's configuration file. */
export interface PlantConnection {
  readonly driver: string;
  readonly bus: string;
  readonly unit?: number;
}

/** One piece of hardware on a serial port, in a home of its own. */
interface DemoUnit {
  /** The name of the port, in the folder and in the device's configuration. */
  readonly port: string;
  readonly driver: string;
  readonly transport: 'modbus-rtu' | 'serial';
  readonly attach: (plant: SimulatedPlant, clock: Clock) => Attach;
}

const DEMO_UNITS: readonly DemoUnit[] = [
  {
    port: 'deye',
    driver: 'deye',
    transport: 'modbus-rtu',
    attach: (plant, { monotonic }) =>
      rtuUnits(new DeyeRegisters(plant, { profile: 'single-phase', serialNumber: '2600000001', monotonic })),
  },
  { port: 'pi30', driver: 'pi30', transport: 'serial', attach: (plant) => pi30Line(plant) },
  {
    port: 'solar-charger',
    driver: 'victron',
    transport: 'serial',
    attach: (plant) => solarChargerLine(plant),
  },
  {
    port: 'battery-monitor',
    driver: 'victron',
    transport: 'serial',
    attach: (plant) => batteryMonitorLine(plant),
  },
  { port: 'pylontech', driver: 'pylontech', transport: 'serial', attach: (plant) => pylontechRs485(plant) },
  { port: 'jk', driver: 'jk', transport: 'serial', attach: (plant) => jkUart(plant) },
];

export interface DemoHardware {
  /** The connections of a device's configuration, one for each piece of hardware. */
  readonly connections: readonly PlantConnection[];
  close(): Promise<void>;
}

/**
 * One of each family that speaks over a serial port, each on a port of its own, and a GX on the network.
 *
 * @param folder where the ports appear, under names that stay the same from one start to the next
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
  const connections = DEMO_UNITS.map(({ port, driver, transport, attach }, index) => {
    const path = join(folder, port);
    const pty = openPty(path);
    undo.defer(() => pty.close());
    undo.defer(attach(homeOf(index + 2), clock)(pty.line));
    return { driver, bus: `${transport}://${path}` };
  });
  const gx = await serveGx(folder, homeOf(DEMO_UNITS.length + 2), {
    serialNumber: 'c0619ab00001',
    monotonic: () => clock.monotonic(),
  });
  undo.defer(() => gx.stop());
  const open = undo.move();
  return {
    connections: [...connections, { driver: 'victron-gx', bus: `modbus-tcp://${gx.host}:${gx.port}` }],
    close: () => open.disposeAsync(),
  };
}
