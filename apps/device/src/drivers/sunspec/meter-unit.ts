import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { Hardware, Reading, Unit, Withheld } from '../driver.ts';

/** Names of a meter's quantities, by those that it has where it stands in for an inverter. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['Grid power', 'Power'],
  ['Grid voltage', 'Voltage'],
  ['Grid frequency', 'Frequency'],
  ['Total grid energy in', 'Import energy'],
  ['Total grid energy out', 'Export energy'],
  ...[1, 2, 3].flatMap((phase) =>
    ['Power', 'Voltage'].map((name) => [`Grid ${name.toLowerCase()} ${phase}`, `${name} L${phase}`] as const),
  ),
]);
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([...NAMES].map(([former, name]) => [name, former]));

/** Whether the hardware is a meter and nothing else: all that it measures is the grid. */
export function isMeterAlone({ units }: Hardware): boolean {
  const [unit, ...others] = units;
  const measured = unit?.quantities.filter(({ group }) => group !== 'Info') ?? [];
  return others.length === 0 && measured.length > 0 && measured.every(({ name }) => NAMES.has(name));
}

/**
 * A meter alone, whose connection gives it a role, as a meter. Without a role it is an inverter that only has a grid, as it
 * was before there were meters: its topics stay.
 */
export class MeterUnit implements Hardware {
  readonly units: readonly Unit[];
  readonly #hardware: Hardware;

  constructor(hardware: Hardware) {
    this.#hardware = hardware;
    this.units = hardware.units.map((unit) => ({
      ...unit,
      kind: 'meters',
      quantities: unit.quantities.map(renamed),
    }));
  }

  get hasShrunk(): boolean {
    return this.#hardware.hasShrunk === true;
  }

  get needsReopen(): boolean {
    return this.#hardware.needsReopen ?? false;
  }

  async poll(): Promise<readonly Reading[]> {
    const readings = await this.#hardware.poll();
    return readings.map(
      (reading) => new Map([...reading].map(([name, value]) => [NAMES.get(name) ?? name, value])),
    );
  }

  withheldIn(unit: number): readonly Withheld[] {
    const withheld = this.#hardware.withheldIn?.(unit) ?? [];
    return withheld.map(({ name, value }) => ({ name: NAMES.get(name) ?? name, value }));
  }

  readAt(unit: number, name: string): number | undefined {
    return this.#hardware.readAt?.(unit, FORMER_NAMES.get(name) ?? name);
  }

  write(...write: Parameters<Hardware['write']>): Promise<MetricValue> {
    return this.#hardware.write(...write);
  }
}

function renamed(quantity: Quantity): Quantity {
  return { ...quantity, name: NAMES.get(quantity.name) ?? quantity.name };
}
