import type { MetricValue } from '@heliograph/metrics';
import { LinkDown } from '../../src/bus/failures.ts';
import type { Hardware, OnSend, Reading, Unit } from '../../src/drivers/driver.ts';
import type { WriteSignal } from '../../src/drivers/write-verified.ts';

/** A unit with its current values; a quantity without one is not read. */
export interface FakeUnit extends Unit {
  readonly values: Record<string, MetricValue>;
}

/** Hardware in memory: what tests set is what it reports. */
export class FakeHardware implements Hardware {
  readonly units: readonly FakeUnit[];
  polls = 0;
  needsReopen = false;
  hasShrunk = false;
  /** Indexes of units that are no longer there. */
  readonly gone = new Set<number>();
  readonly writes: { unit: number; name: string; value: number | string }[] = [];
  /** Makes every request fail with it. */
  failure: Error | undefined;
  /** Values of the first unit that polls read in place of the present ones. */
  polled: Readonly<Record<string, MetricValue>> | undefined;
  /** Takes the place of a poll, to make it slow or let things happen meanwhile. */
  duringPoll: (() => Promise<void>) | undefined;
  /** Takes the place of the write's way to the hardware and back. */
  duringWrite: (() => Promise<void>) | undefined;
  /** Takes the place of the write's way until its first byte leaves. */
  beforeSend: (() => Promise<void>) | undefined;
  /** The abort signal of the last write. */
  lastSignal: AbortSignal | undefined;
  /** By name, when a value that is merely repeated was read, by the monotonic clock. */
  readonly readBefore: Record<string, number> = {};
  /** Whether it sends no value that is in force already. */
  keepsInForce = false;
  /** Makes every write fail with it before it is sent. */
  refusesUnsent: Error | undefined;
  /** The value that it applies to any write. */
  appliesInstead: MetricValue | undefined;

  constructor(...units: readonly FakeUnit[]) {
    this.units = units;
  }

  async poll(): Promise<readonly Reading[]> {
    this.polls++;
    if (this.failure !== undefined) throw this.failure;
    const readings = this.units.map(
      ({ values }, unit) => new Map(Object.entries((unit === 0 && this.polled) || values)),
    );
    await this.duringPoll?.();
    return readings;
  }

  isGone(unit: number): boolean {
    return this.gone.has(unit);
  }

  readAt(_unit: number, name: string): number | undefined {
    return this.readBefore[name];
  }

  async write(
    unit: number,
    name: string,
    value: number | string,
    signal?: WriteSignal,
    onSend?: OnSend,
  ): Promise<MetricValue> {
    this.lastSignal = signal;
    if (this.failure !== undefined) throw this.failure;
    const target = this.units[unit];
    if (target === undefined) throw new Error(`there is no unit ${unit}`);
    const isInForce = target.values[name] === value;
    if (this.keepsInForce && isInForce && signal?.isContested !== true) return value;
    if (this.refusesUnsent !== undefined) throw this.refusesUnsent;
    await this.beforeSend?.();
    if (signal?.aborted) throw new LinkDown('its time was over');
    onSend?.(target.values[name] ?? null);
    this.writes.push({ unit, name, value });
    await this.duringWrite?.();
    const written = this.appliesInstead ?? value;
    target.values[name] = written;
    return written;
  }
}
