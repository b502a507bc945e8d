import { ConfigError, type Env } from '@heliograph/kit';

export interface PlantConfig {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The folder for the ports of hardware behind each kind of connection; without it there is the home's inverter alone. */
  readonly demoHardware?: string;
  /** File that keeps the battery's charge, the counters and the settings; without it every start is a new plant. */
  readonly stateFile?: string;
  /** File to which the home's inverter adds a line for every write that it takes; without it none is kept. */
  readonly writesFile?: string;
  readonly timeZone: string;
  /** Degrees, positive to the north. */
  readonly latitudeDeg: number;
  /** Clouds and appliances are drawn from this number. */
  readonly seed: number;
  /** Plant seconds per second. */
  readonly speed: number;
  /** The beginning of the plant's own time, milliseconds since the epoch. */
  readonly startMs?: number;
}

/** Sun enough in winter to be worth looking at, and north enough for seasons. */
export const DEFAULT_LATITUDE_DEG = 37;
export const DEFAULT_SEED = 1;
const MAX_SPEED = 3_600;

/**
 * Reads `PLANT_HOST`, `PLANT_PORT`, `PLANT_STATE`, `PLANT_WRITES`, `PLANT_SHOWROOM`, `PLANT_TIME_ZONE`, `PLANT_LATITUDE`,
 * `PLANT_SEED`, `PLANT_SPEED` and `PLANT_START`; all of them may be left out.
 *
 * @throws ConfigError naming the variable
 */
export function plantConfigFromEnv(env: Env): PlantConfig {
  const stateFile = env.optional('PLANT_STATE');
  const writesFile = env.optional('PLANT_WRITES');
  const start = env.optional('PLANT_START');
  const demoHardware = env.optional('PLANT_SHOWROOM');
  return {
    host: env.string('PLANT_HOST', '127.0.0.1'),
    port: env.port('PLANT_PORT', 0),
    ...(stateFile === undefined ? {} : { stateFile }),
    ...(writesFile === undefined ? {} : { writesFile }),
    ...(demoHardware === undefined ? {} : { demoHardware }),
    timeZone: timeZone(env.string('PLANT_TIME_ZONE', Intl.DateTimeFormat().resolvedOptions().timeZone)),
    latitudeDeg: env.integer('PLANT_LATITUDE', { fallback: DEFAULT_LATITUDE_DEG, min: -65, max: 65 }),
    seed: env.integer('PLANT_SEED', { fallback: DEFAULT_SEED, max: 2 ** 31 - 1 }),
    speed: env.integer('PLANT_SPEED', { fallback: 1, min: 1, max: MAX_SPEED }),
    ...(start === undefined ? {} : { startMs: instant(start) }),
  };
}

function timeZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    throw new ConfigError(`PLANT_TIME_ZONE must be an IANA time zone such as Europe/Berlin, not "${name}"`);
  }
}

function instant(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || !/^\d{4}-\d\d-\d\dT/.test(text)) {
    throw new ConfigError(`PLANT_START must be a date and time such as 2026-06-21T12:00:00Z, not "${text}"`);
  }
  return ms;
}
