import type { MetricValue, Quantity } from '@heliograph/metrics';
import { type Hardware, NotRecognised, type Reading, type Unit, type Withheld } from './driver.ts';

/** Import counts as export, and the reverse. */
const DIRECTION = /^(Import|Export) energy/;
/** Quantities whose sign changes with the direction. Currents are amounts, and a power factor has its own rule in each meter. */
const SIGNED = /^(Power|Reactive power)( L[123])?$/;

/**
 * Hardware whose meters were connected the other way round.
 *
 * @throws NotRecognised when it has no meter
 */
export function reversedMeters(hardware: Hardware): Hardware {
  if (!hardware.units.some(({ kind }) => kind === 'meters')) {
    throw new NotRecognised('this is no meter: take "reversed" out of its connection');
  }
  return new ReversedMeters(hardware);
}

class ReversedMeters implements Hardware {
  readonly units: readonly Unit[];
  readonly withheldIn?: NonNullable<Hardware['withheldIn']>;
  readonly readAt?: NonNullable<Hardware['readAt']>;
  readonly #hardware: Hardware;

  constructor(hardware: Hardware) {
    this.#hardware = hardware;
    this.units = hardware.units.map((unit) =>
      unit.kind === 'meters' ? { ...unit, quantities: unit.quantities.map(reversedQuantity) } : unit,
    );
    if (hardware.withheldIn !== undefined) this.withheldIn = (unit) => this.#withheldIn(unit);
    if (hardware.readAt !== undefined) this.readAt = (unit, name) => this.#readAt(unit, name);
  }

  get hasShrunk(): boolean {
    return this.#hardware.hasShrunk === true;
  }

  isGone(unit: number): boolean {
    return this.#hardware.isGone?.(unit) === true;
  }

  get needsReopen(): boolean {
    return this.#hardware.needsReopen === true;
  }

  async poll(): Promise<readonly Reading[]> {
    const readings = await this.#hardware.poll();
    return readings.map((reading, unit) => (this.#isMeter(unit) ? reversedReading(reading) : reading));
  }

  write(...write: Parameters<Hardware['write']>): Promise<MetricValue> {
    return this.#hardware.write(...write);
  }

  #withheldIn(unit: number): readonly Withheld[] {
    const withheld = this.#hardware.withheldIn?.(unit) ?? [];
    if (!this.#isMeter(unit)) return withheld;
    return withheld.map(({ name, value }) => ({
      name: reversedName(name),
      value: reversedNumber(name, value),
    }));
  }

  #readAt(unit: number, name: string): number | undefined {
    return this.#hardware.readAt?.(unit, this.#isMeter(unit) ? reversedName(name) : name);
  }

  #isMeter(unit: number): boolean {
    return this.units[unit]?.kind === 'meters';
  }
}

function reversedReading(reading: Reading): Reading {
  return new Map(
    [...reading].map(([name, value]) => [
      reversedName(name),
      typeof value === 'number' ? reversedNumber(name, value) : value,
    ]),
  );
}

function reversedQuantity(quantity: Quantity): Quantity {
  return { ...quantity, name: reversedName(quantity.name) };
}

function reversedName(name: string): string {
  return name.replace(DIRECTION, (_, direction) => `${direction === 'Import' ? 'Export' : 'Import'} energy`);
}

/** Never a negative zero. */
function reversedNumber(name: string, value: number): number {
  return SIGNED.test(name) ? 0 - value : value;
}
