import type { Clock } from '@heliograph/kit';
import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { Reading, Unit, Withheld } from '../drivers/driver.ts';
import { boundsOf, type Step, stepOf } from './believable.ts';
import type { UnitKey } from './unit-key.ts';

/** A value that the hardware reports and that is not believed. */
export interface Doubtful {
  readonly unit: UnitKey;
  readonly quantity: Quantity;
  /** As the hardware reported it last. */
  readonly value: number;
  /** Polls in a row. */
  readonly polls: number;
}

/** A value beyond its step that stays for so many polls is believed: a meter was replaced, a battery calibrated. */
export const BELIEVED_AFTER_POLLS = 10;

/** An unknown one of these makes the load unknown: it would no longer be what remains of them. */
const BALANCED: readonly string[] = ['PV power', 'Grid power', 'Battery power', 'Generator power'];
const LOAD = 'Load power';

interface Believed {
  readonly value: number;
  readonly atMs: number;
}

/** Withholds impossible values of one connection before anything else sees them. */
export class PlausibilityFilter {
  readonly #clock: Clock;
  readonly #believed = new Map<string, Believed>();
  /** By unit and quantity; one that is believed again is removed. */
  readonly #doubtful = new Map<string, Doubtful>();
  #withheld = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get doubtful(): readonly Doubtful[] {
    return [...this.#doubtful.values()];
  }

  /** How many values were withheld since the device was started. */
  get withheldValues(): number {
    return this.#withheld;
  }

  /**
   * @param withheld values that the driver knows to be beyond the bounds of its map
   * @returns the reading with what is not believed as unknown
   */
  filter(key: UnitKey, unit: Unit, reading: Reading, withheld: readonly Withheld[] = []): Reading {
    const rated = reading.get('Rated power');
    const ratedW = typeof rated === 'number' ? rated : null;
    const values = new Map<string, MetricValue>(reading);
    for (const quantity of unit.quantities) {
      const { name, setting } = quantity;
      const byDriver = withheld.find((one) => one.name === name);
      const value = byDriver?.value ?? reading.get(name);
      if (setting !== undefined) continue;
      if (typeof value !== 'number') {
        this.#doubtful.delete(idOf(key, name));
        continue;
      }
      const isBelieved = byDriver === undefined && this.#believes(key, quantity, value, ratedW);
      if (isBelieved) this.#doubtful.delete(idOf(key, name));
      else {
        this.#doubt(key, quantity, value);
        values.set(name, null);
      }
    }
    const isUnbalanced = BALANCED.some((name) => values.get(name) === null && reading.get(name) !== null);
    if (isUnbalanced && values.has(LOAD)) values.set(LOAD, null);
    return values;
  }

  #believes(key: UnitKey, quantity: Quantity, value: number, ratedW: number | null): boolean {
    const bounds = boundsOf(quantity, ratedW);
    if (bounds !== undefined && !(value >= bounds.min && value <= bounds.max)) return false;
    const step = stepOf(quantity);
    if (step === undefined) return true;
    const id = idOf(key, quantity.name);
    const now = { value, atMs: this.#clock.monotonic() };
    const before = this.#believed.get(id);
    if (before !== undefined && !isWithin(step, before, now)) {
      const doubted = this.#doubtful.get(id);
      const stays = doubted !== undefined && isWithin(step, { ...now, value: doubted.value }, now);
      if (!stays || doubted.polls < BELIEVED_AFTER_POLLS) {
        if (!stays) this.#doubtful.delete(id);
        return false;
      }
    }
    this.#believed.set(id, now);
    return true;
  }

  #doubt(key: UnitKey, quantity: Quantity, value: number): void {
    const id = idOf(key, quantity.name);
    const polls = (this.#doubtful.get(id)?.polls ?? 0) + 1;
    this.#doubtful.set(id, { unit: key, quantity, value, polls });
    this.#withheld += 1;
  }
}

function isWithin({ atOnce, perSecond, falls, restarts }: Step, before: Believed, now: Believed): boolean {
  const change = now.value - before.value;
  const most = atOnce + (perSecond * (now.atMs - before.atMs)) / 1000;
  if (Math.abs(change) <= most && (change >= 0 || falls)) return true;
  // A day's counter begins at zero; it has counted little by the next poll.
  return restarts && change < 0 && now.value <= most;
}

function idOf(key: UnitKey, name: string): string {
  return `${key} ${name}`;
}
