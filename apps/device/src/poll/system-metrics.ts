import { readFile, statfs } from 'node:fs/promises';
import type { Clock } from '@heliograph/kit';
import { defineMetric, type Quantity, quantities } from '@heliograph/metrics';
import { type Measured, type NamedMeasured, NEVER_READ } from './totals/measured.ts';

/** How often the computer itself is looked at, in milliseconds: nothing of it changes fast. */
const REFRESH_MS = 30_000;

/** The first thermal zone of the Linux kernel, in thousandths of a degree: the processor on boards like a Pi. */
const THERMAL_ZONE = '/sys/class/thermal/thermal_zone0/temp';

const define = (quantity: Quantity) => defineMetric('system', null, quantity);

const SITE_ID = define(quantities.info('Site ID'));
const SOFTWARE_VERSION = define(quantities.info('Software version'));
/** Existing clients take a temperature that is not a whole number for unreadable. */
const CPU_TEMPERATURE = define({ ...quantities.temperature('CPU temperature'), decimals: 0 });
const FREE_STORAGE = define({
  name: 'Free storage',
  group: 'Status',
  unit: 'MB',
  decimals: 0,
  deviceClass: 'data_size',
  stateClass: 'measurement',
});

const HISTORY = define(quantities.state('History'));

export interface SystemMetricsOptions {
  readonly clock: Clock;
  /** The folder whose file system is watched. */
  readonly dataFolder: string;
  /** The site that the device is registered as, null while it belongs to none. */
  readonly siteId: () => number | null;
  readonly softwareVersion: string;
  /** Whether the past is kept, in plain words. */
  readonly history: () => string;
}

/** Metrics of the device itself. */
export class SystemMetrics {
  readonly #options: SystemMetricsOptions;
  #cpuTemperature: Measured = NEVER_READ;
  #freeStorage: Measured = NEVER_READ;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SystemMetricsOptions) {
    this.#options = options;
  }

  /** Resolves after the first look. */
  async start(): Promise<void> {
    await this.#refresh();
    this.#timer = setInterval(() => void this.#refresh(), REFRESH_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  current(): readonly NamedMeasured[] {
    const { siteId, softwareVersion, history } = this.#options;
    const now = this.#now();
    return [
      { definition: SITE_ID, value: siteId(), ...now },
      { definition: SOFTWARE_VERSION, value: softwareVersion, ...now },
      { definition: CPU_TEMPERATURE, ...this.#cpuTemperature },
      { definition: FREE_STORAGE, ...this.#freeStorage },
      { definition: HISTORY, value: history(), ...now },
    ];
  }

  async #refresh(): Promise<void> {
    const cpuTemperature = await readCpuTemperature();
    const freeStorage = await readFreeStorage(this.#options.dataFolder);
    const at = this.#now();
    this.#cpuTemperature = cpuTemperature === null ? NEVER_READ : { value: cpuTemperature, ...at };
    this.#freeStorage = freeStorage === null ? NEVER_READ : { value: freeStorage, ...at };
  }

  #now(): Pick<Measured, 'readAt' | 'readAtMonotonic'> {
    const { clock } = this.#options;
    return { readAt: clock.now(), readAtMonotonic: clock.monotonic() };
  }
}

/** Whole degrees Celsius; null on a computer that does not report it. */
async function readCpuTemperature(): Promise<number | null> {
  try {
    const text = (await readFile(THERMAL_ZONE, 'utf8')).trim();
    return /^-?\d+$/.test(text) ? Math.round(Number(text) / 1000) : null;
  } catch {
    return null;
  }
}

/** Whole megabytes that are left for the device; null when the file system does not report it. */
async function readFreeStorage(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return Math.floor((bavail * bsize) / 1_000_000);
  } catch {
    return null;
  }
}
