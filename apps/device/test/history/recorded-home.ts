import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryAnswer, HistorySeries } from '@heliograph/contracts';
import { createLogger, type Logger, ManualClock, silentLogger, testMoment } from '@heliograph/kit';
import {
  compileGlob,
  defineMetric,
  type MetricDefinition,
  type MetricValue,
  quantities,
} from '@heliograph/metrics';
import { History, type HistoryOptions } from '../../src/history/history.ts';
import type { HistoryRequest } from '../../src/history/reading/plan.ts';
import { type Sample, SnapshotPublisher } from '../../src/poll/snapshot.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const PV = 'total/pv_power';
export const PV_ENERGY = 'total/pv_energy';
export const CELL = 'battery_1/cell_voltage_-_highest';
export const MODE = 'inverter_1/device_mode';
export const FLAG = 'inverter_1/grid_charge';
export const HIDDEN = 'inverter_1/raw_word';

const DEFINITIONS = new Map<string, MetricDefinition>(
  [
    ...['PV power', 'Load power'].map((name) => defineMetric('totals', null, quantities.power(name))),
    ...['PV energy', 'Load energy', 'Grid energy in', 'Grid energy out'].map((name) =>
      defineMetric('totals', null, quantities.periodEnergy(name)),
    ),
    defineMetric('batteries', 0, quantities.cellVoltage('Cell voltage - Highest')),
    defineMetric('inverters', 0, quantities.state('Device mode')),
    defineMetric('inverters', 0, { name: 'Grid charge', group: 'Settings', unit: 'Enabled' }),
    defineMetric('inverters', 0, { name: 'Raw word', group: 'Ignore', unit: '' }),
  ].map((definition) => [definition.topic, definition]),
);

/** A home whose history is recorded in a folder of its own, poll by poll, on a clock that the test turns. */
export class RecordedHome implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'device-history-'));
  readonly clock: ManualClock;
  readonly publisher = new SnapshotPublisher();
  readonly #options: Pick<HistoryOptions, 'maxSizeMb' | 'pollIntervalMs' | 'logger' | 'open' | 'setsOf'>;
  #history: History;
  #sequence = 0;

  constructor(now: string, options: Partial<HistoryOptions> = {}) {
    this.clock = new ManualClock(testMoment(now));
    this.#options = { maxSizeMb: 100, pollIntervalMs: 2 * SECOND_MS, logger: silentLogger, ...options };
    this.#history = this.#start();
  }

  get history(): History {
    return this.#history;
  }

  /** One poll, in which these values were read. */
  poll(values: Readonly<Record<string, MetricValue>>): this {
    const takenAt = this.clock.now();
    const samples = new Map<string, Sample>();
    for (const [topic, value] of Object.entries(values)) {
      const definition = DEFINITIONS.get(topic);
      if (definition === undefined) throw new Error(`this home has no ${topic}`);
      samples.set(topic, { definition, value, readAt: takenAt, stale: false });
    }
    this.publisher.publish({ sequence: ++this.#sequence, takenAt, samples });
    return this;
  }

  /** Polls for so long; ends when the next poll would be due. */
  polls(forMs: number, values: (atMs: number) => Readonly<Record<string, MetricValue>>): this {
    const { pollIntervalMs } = this.#options;
    for (let passed = 0; passed < forMs; passed += pollIntervalMs) {
      this.poll(values(this.clock.now()));
      this.clock.advance(pollIntervalMs);
    }
    return this;
  }

  pass(ms: number): this {
    this.clock.advance(ms);
    return this;
  }

  /** Ends the recording as a stop of the daemon does. */
  stop(): void {
    this.#history[Symbol.dispose]();
  }

  start(options: Partial<HistoryOptions> = {}): this {
    this.#history = this.#start(options);
    return this;
  }

  read(
    glob: string,
    { from, to, stepS }: { from?: string; to?: string; stepS?: number } = {},
  ): Promise<HistoryAnswer> {
    const request: HistoryRequest = {
      matches: compileGlob(glob),
      ...(from !== undefined && { fromMs: Date.parse(from) }),
      ...(to !== undefined && { toMs: Date.parse(to) }),
      ...(stepS !== undefined && { stepMs: stepS * SECOND_MS }),
    };
    return this.#history.read(request);
  }

  /** The only series of an answer. */
  async curve(
    topic: string,
    part: { from?: string; to?: string; stepS?: number } = {},
  ): Promise<HistorySeries> {
    const { series } = await this.read(topic, part);
    const [only] = series;
    if (only === undefined || series.length > 1) throw new Error(`${series.length} series of ${topic}`);
    return only;
  }

  [Symbol.dispose](): void {
    this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #start(options: Partial<HistoryOptions> = {}): History {
    const history = new History({ ...this.#options, ...options, folder: this.folder, clock: this.clock });
    history.start(this.publisher);
    return history;
  }
}

/** The messages of a log's lines. */
export function logLines(): { readonly logger: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const write = (line: string): void => {
    const { msg, reason } = JSON.parse(line) as { msg: string; reason?: string };
    lines.push(reason === undefined ? msg : `${msg}: ${reason}`);
  };
  return { logger: createLogger('test', 'info', { write }), lines };
}

/** When a step began, as text. */
export function timesOf({ times }: { readonly times: readonly number[] }): readonly string[] {
  return times.map((time) => new Date(time * 1000).toISOString());
}
