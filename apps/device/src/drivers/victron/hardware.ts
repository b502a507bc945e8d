import type { Clock } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';
import type { ByteBus } from '../../bus/byte-bus.ts';
import {
  type DecodedUnit,
  type Hardware,
  NotRecognised,
  type OnSend,
  type Reading,
  type Unit,
} from '../driver.ts';
import { type ChargerSettings, isResponding, REREAD_MS } from './charger-settings.ts';
import { cycleBlocks, cycleRule } from './frame-rules.ts';
import type { HexPort } from './hex-port.ts';
import type { VeDirectFields } from './text-block.ts';
import { readUnit } from './unit-reading.ts';

/** A block comes every second. */
const CYCLE_TIMEOUT_MS = 4_000;

/** Some devices hold back their text for seconds after a HEX request. */
const CYCLE_AFTER_REQUEST_TIMEOUT_MS = 12_000;

/** A cable without a wire to the device stays silent until it is replaced by another one. */
const RETRY_SILENT_MS = 600_000;

export interface OpenedVeDirect {
  /** The fields of the first whole cycle. */
  readonly fields: VeDirectFields;
  /** How many blocks a cycle has. */
  readonly blockCount: number;
  readonly unit: DecodedUnit;
  /** Absent where there are none, or where the device does not answer. */
  readonly settings: ChargerSettings | undefined;
  /** Whether it should have settings. */
  readonly isCharger: boolean;
}

/** One device on a VE.Direct line. */
export class VeDirectHardware implements Hardware {
  readonly units: readonly [Unit];
  readonly #bus: ByteBus;
  readonly #port: HexPort;
  readonly #clock: Clock;
  readonly #opened: OpenedVeDirect;
  readonly #names: ReadonlySet<string>;
  /** When the last HEX request was sent, and when the settings are due. */
  #requestedAtMs: number;
  #nextRequestAtMs: number;
  #needsReopen = false;

  constructor(bus: ByteBus, port: HexPort, clock: Clock, opened: OpenedVeDirect) {
    this.#bus = bus;
    this.#port = port;
    this.#clock = clock;
    this.#opened = opened;
    const now = clock.monotonic();
    this.#requestedAtMs = opened.isCharger ? now : Number.NEGATIVE_INFINITY;
    this.#nextRequestAtMs = opened.isCharger ? now + requestPauseMs(opened) : Number.POSITIVE_INFINITY;
    const { kind, model, quantities } = opened.unit;
    this.units = [{ kind, model, quantities: [...quantities, ...(opened.settings?.quantities ?? [])] }];
    this.#names = new Set(quantities.map(({ name }) => name));
  }

  get needsReopen(): boolean {
    return this.#needsReopen;
  }

  async poll(): Promise<readonly Reading[]> {
    const { fields: before, blockCount, settings } = this.#opened;
    const afterRequest = this.#clock.monotonic() - this.#requestedAtMs < CYCLE_AFTER_REQUEST_TIMEOUT_MS;
    const rule = cycleRule(afterRequest ? CYCLE_AFTER_REQUEST_TIMEOUT_MS : CYCLE_TIMEOUT_MS, blockCount);
    const fields = mergeBlocks(cycleBlocks(await this.#bus.listen(rule)));
    if (!sameDevice(before, fields)) throw new NotRecognised('another device is connected now');
    const { reading } = readUnit(fields);
    // The text of a cycle has just ended: there is time for HEX requests until the next.
    await this.#rereadWhenDue();
    const known = [...reading].filter(([name]) => this.#names.has(name));
    if (known.length < reading.size || settings?.hasUnlistedOption === true) this.#needsReopen = true;
    return [new Map([...known, ...(settings?.values ?? [])])];
  }

  readAt(_unit: number, name: string): number | undefined {
    return this.#opened.settings?.readAt(name);
  }

  async write(
    unit: number,
    name: string,
    value: number | string,
    signal?: AbortSignal,
    onSend?: OnSend,
  ): Promise<MetricValue> {
    const { settings } = this.#opened;
    if (unit !== 0 || settings === undefined) throw new RangeError(`unit ${unit} has no setting ${name}`);
    this.#requestedAtMs = this.#clock.monotonic();
    // One setting may change others: a battery type brings its voltages with it.
    this.#nextRequestAtMs = this.#requestedAtMs;
    return settings.write(name, value, signal, onSend);
  }

  async #rereadWhenDue(): Promise<void> {
    const { settings } = this.#opened;
    const now = this.#clock.monotonic();
    if (now < this.#nextRequestAtMs) return;
    this.#requestedAtMs = now;
    this.#nextRequestAtMs = now + requestPauseMs(this.#opened);
    if (settings !== undefined) await settings.reread();
    else if (await isResponding(this.#port)) this.#needsReopen = true;
  }
}

function requestPauseMs({ settings }: OpenedVeDirect): number {
  return settings === undefined ? RETRY_SILENT_MS : REREAD_MS;
}

/** The fields of all blocks of a cycle. */
export function mergeBlocks(blocks: readonly VeDirectFields[]): VeDirectFields {
  return new Map(blocks.flatMap((fields) => [...fields]));
}

/** Whether product and serial number are unchanged: another device may be plugged in unnoticed. */
function sameDevice(opened: VeDirectFields, now: VeDirectFields): boolean {
  return ['PID', 'SER#'].every((label) => {
    const [before, after] = [opened.get(label), now.get(label)];
    return before === undefined || after === undefined || before === after;
  });
}
