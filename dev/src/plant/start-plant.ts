import {
  type Clock,
  ConfigError,
  createLogger,
  type Logger,
  messageOf,
  type Running,
  systemClock,
} from '@heliograph/kit';
import { startRegisterServer } from '../modbus/index.ts';
import type { PlantConfig } from './config.ts';
import type { PlantConnection } from './demo-hardware.ts';
import { openDemoHardware } from './demo-hardware.ts';
import { PlantClock } from './physics/plant-clock.ts';
import type { PlantSettings } from './physics/settings.ts';
import type { PlantMemory } from './physics/simulated-plant.ts';
import { SimulatedPlant } from './physics/simulated-plant.ts';
import { siteIn } from './physics/site.ts';
import { loadMemory, saveMemory } from './state-file.ts';
import { SunSpecRegisters } from './sunspec/registers.ts';
import { logWrite } from './write-log.ts';

export interface PlantFacts {
  /** `host:port` of the Modbus TCP server. */
  readonly modbus: string;
  /** All of its hardware, as in a device's configuration. */
  readonly connections: readonly PlantConnection[];
}

export interface PlantOptions extends Partial<PlantConfig> {
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** The state file is written this often: a kill costs at most so much of the battery's story. */
const SAVE_INTERVAL_MS = 30_000;

/**
 * Starts a simulated home: two PV strings, a battery and a hybrid inverter with SunSpec on unit 1. With
 * `demoHardware` there is hardware behind every other kind of connection besides.
 *
 * @throws ConfigError when the state file holds something else, a system error when a port or a file is not to be had
 */
export async function startPlant(options: PlantOptions = {}): Promise<Running<PlantFacts>> {
  const {
    host = '127.0.0.1',
    port = 0,
    timeZone = 'UTC',
    latitudeDeg = 37,
    seed = 1,
    speed = 1,
    clock = systemClock,
    logger = createLogger('plant'),
    stateFile,
    writesFile,
    demoHardware: demoFolder,
    startMs,
  } = options;
  const plantClock = new PlantClock(clock, { speed, ...(startMs === undefined ? {} : { startMs }) });
  const site = siteIn(timeZone, latitudeDeg, seed, plantClock.now());
  const plant = new SimulatedPlant(
    plantClock,
    site,
    stateFile === undefined ? undefined : remembered(stateFile),
  );
  const stateFileWriter = stateFile === undefined ? undefined : saveRegularly(stateFile, plant, logger);
  const serialNumber = `HG6K-${String(seed).padStart(8, '0')}`;
  const onWritten = (changes: Partial<PlantSettings>): void => {
    if (writesFile !== undefined) logWrite(writesFile, { at: clock.now(), changes });
    // An inverter does not forget a setting because its power went.
    stateFileWriter?.save();
  };
  const registers = new SunSpecRegisters(plant, serialNumber, () => clock.monotonic(), onWritten);
  const homeOf = (offset: number): SimulatedPlant =>
    new SimulatedPlant(plantClock, siteIn(timeZone, latitudeDeg, seed + offset, plantClock.now()));
  const demoHardware =
    demoFolder === undefined ? undefined : await openDemoHardware(demoFolder, homeOf, clock);
  try {
    const { readRange, write } = registers;
    const server = await startRegisterServer({ host, port, readRange, write });
    const modbus = `${server.host}:${server.port}`;
    const inverter = { driver: 'sunspec', bus: `modbus-tcp://${modbus}`, unit: 1 };
    return {
      facts: { modbus, connections: [inverter, ...(demoHardware?.connections ?? [])] },
      stop: async () => {
        await demoHardware?.close();
        await server.stop();
        stateFileWriter?.stop();
      },
    };
  } catch (error) {
    await demoHardware?.close();
    stateFileWriter?.stop();
    throw error;
  }
}

function remembered(stateFile: string): PlantMemory | undefined {
  try {
    return loadMemory(stateFile);
  } catch (error) {
    throw new ConfigError(`PLANT_STATE: ${messageOf(error)}`);
  }
}

/** Writes the file at once, so that an unusable folder ends the start, then regularly and at the end. */
function saveRegularly(stateFile: string, plant: SimulatedPlant, logger: Logger) {
  const save = (): void => {
    plant.advance();
    saveMemory(stateFile, plant.memory);
  };
  save();
  let failing = false;
  const saveOrLog = (): void => {
    try {
      save();
      failing = false;
    } catch (error) {
      if (!failing) logger.error({ err: error }, 'The state of the plant cannot be saved');
      failing = true;
    }
  };
  const timer = setInterval(saveOrLog, SAVE_INTERVAL_MS);
  return {
    save: saveOrLog,
    stop: () => {
      clearInterval(timer);
      save();
    },
  };
}
