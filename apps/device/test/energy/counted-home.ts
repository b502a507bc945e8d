import { HALF_WMS_PER_WH } from '../../src/energy/energy-amount.ts';
import type { Power } from '../../src/energy/flows.ts';
import {
  advanceLedger,
  type EnergyState,
  energyOf,
  type Ledger,
  openLedger,
} from '../../src/energy/ledger.ts';
import type { EnergyPeriod } from '../../src/energy/period.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** A device's energy, driven by hand: time passes, the clock jumps, readings come. */
export class CountedHome {
  wallMs: number;
  monotonicMs = 5_000;
  ledger: Ledger;
  period: EnergyPeriod;
  readonly #rules: { zone: string; longestGapMs: number };

  constructor(
    now: string,
    {
      period = 'daily' as EnergyPeriod,
      zone = 'UTC',
      stored = undefined as EnergyState | undefined,
      longestGapMs = 6 * SECOND_MS,
    } = {},
  ) {
    this.wallMs = Date.parse(now);
    this.period = period;
    this.#rules = { zone, longestGapMs };
    this.ledger = openLedger(stored, this, zone);
  }

  read(powers: Partial<Record<Power, number | null>>, readAtMs = this.monotonicMs): this {
    const readings = new Map(
      Object.entries(powers).map(([power, powerW]) => [power as Power, { powerW, readAtMs }]),
    );
    this.ledger = advanceLedger(this.ledger, readings, this, this.#rules);
    return this;
  }

  pass(ms: number): this {
    this.wallMs += ms;
    this.monotonicMs += ms;
    return this;
  }

  clock(to: string): this {
    this.wallMs = Date.parse(to);
    return this;
  }

  /** The same state in a new process. */
  restart(period = this.period): this {
    this.period = period;
    this.monotonicMs = 5_000;
    this.ledger = openLedger(this.ledger.state, this, this.#rules.zone);
    return this;
  }

  /** Of the period, in half watt-milliseconds; undefined while unknown. */
  energy(name: string): number | undefined {
    const amount = energyOf(this.ledger.state, this.period)[name];
    return amount === undefined ? undefined : amount.wattHours * HALF_WMS_PER_WH + amount.rest;
  }

  /** PV of a constant power from now on, read every two seconds; both ends are read. */
  pv(powerW: number, forMs: number, stepMs = 2 * SECOND_MS): this {
    this.read({ 'PV power': powerW });
    for (let passed = 0; passed < forMs; passed += stepMs) {
      this.pass(Math.min(stepMs, forMs - passed)).read({ 'PV power': powerW });
    }
    return this;
  }
}

/** Energy of a constant power over this time, in half watt-milliseconds. */
export const wattsFor = (powerW: number, ms: number): number => 2 * powerW * ms;
