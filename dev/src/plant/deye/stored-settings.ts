import { type DeyeRegisterRow, decode, encode, type Profile, settingsFor } from '@heliograph/device/deye';
import type { MetricValue } from '@heliograph/metrics';
import { INVERTER } from '../physics/inverter.ts';

/** Values as installed; other settings are at their lowest or first value. */
const AS_INSTALLED: Readonly<Record<string, MetricValue>> = {
  'Energy pattern': 'Load first',
  'Work mode': 'Zero export to CT',
  'Solar export when battery full': 'Enabled',
  'Max sell power': INVERTER.ratedW,
  'Max solar power': 8_000,
  'Zero export power': 20,
  'Grid peak shaving': 'Disabled',
  'Grid peak shaving power': 8_000,
  'Max charge current': 120,
  'Max discharge current': 120,
  'Grid charge': 'Disabled',
  'Max grid charge current': 40,
  'Start grid charge capacity': 30,
  'Start grid charge voltage': 49,
  'Max generator charge current': 40,
  'Output shutdown capacity': 8,
  'Stop battery discharge capacity': 10,
  'Start battery discharge capacity': 20,
  'Output shutdown voltage': 45,
  'Stop battery discharge voltage': 47.5,
  'Start battery discharge voltage': 52,
  'Battery equalization charge voltage': 57.6,
  'Battery absorption charge voltage': 57.6,
  'Battery float charge voltage': 55.2,
  'Battery capacity': 200,
  'Battery control mode': 'Capacity (BMS)',
  'Inverter enabled': 'On',
  ...slots('Time point', ['00:00', '04:00', '08:00', '12:00', '16:00', '20:00']),
  ...slots('Power point', new Array<number>(6).fill(INVERTER.ratedW)),
  ...slots('Voltage point', new Array<number>(6).fill(49)),
  ...slots('Capacity point', [30, 30, 20, 20, 20, 20]),
};

/** Bit 2 of a slot's charge register: the general mode. Its neighbours are settings. */
const GENERAL_MODE = 1 << 2;
const SLOT_CHARGE = /^Grid charge point/;

/** The registers behind an inverter's settings. */
export class DeyeStoredSettings {
  readonly #rows: readonly DeyeRegisterRow[];
  readonly #registers = new Map<number, number>();

  constructor(profile: Profile) {
    this.#rows = settingsFor(profile, INVERTER.ratedW);
    for (const row of this.#rows) {
      const address = addressOf(row);
      const held = this.#registers.get(address) ?? (SLOT_CHARGE.test(row.quantity.name) ? GENERAL_MODE : 0);
      this.#registers.set(address, encoded(row, firstValue(row), held));
    }
  }

  /** The raw registers by address. */
  get registers(): ReadonlyMap<number, number> {
    return this.#registers;
  }

  value(name: string): MetricValue {
    const row = this.#rows.find(({ quantity }) => quantity.name === name);
    return row === undefined ? null : this.#read(row, this.#registers);
  }

  number(name: string): number {
    const value = this.value(name);
    return typeof value === 'number' ? value : 0;
  }

  /**
   * Takes a value as the inverter does: numbers out of range are moved to its end without a word, what means
   * nothing is ignored.
   */
  write(address: number, raw: number): void {
    const rows = this.#rows.filter((row) => addressOf(row) === address);
    const next = new Map([[address, raw]]);
    if (rows.some((row) => this.#read(row, next) === null)) return;
    this.#registers.set(
      address,
      rows.reduce((held, row) => this.#within(row, held), raw),
    );
  }

  #within(row: DeyeRegisterRow, raw: number): number {
    const { setting } = row.quantity;
    const value = this.#read(row, new Map([[addressOf(row), raw]]));
    if (setting?.kind !== 'number' || typeof value !== 'number') return raw;
    if (value >= setting.min && value <= setting.max) return raw;
    return encoded(row, Math.min(setting.max, Math.max(setting.min, value)), raw);
  }

  #read(row: DeyeRegisterRow, registers: ReadonlyMap<number, number>): MetricValue {
    return decode(row, [registers.get(addressOf(row)) ?? 0]);
  }
}

function firstValue({ quantity: { name, setting } }: DeyeRegisterRow): MetricValue {
  const installed = AS_INSTALLED[name];
  if (installed !== undefined) return installed;
  if (setting?.kind === 'number') return setting.min;
  return setting?.kind === 'select' ? (setting.options[0] ?? null) : false;
}

function encoded(row: DeyeRegisterRow, value: MetricValue, held: number): number {
  return encode(row, value, [held])[0] ?? held;
}

function addressOf({ registers: [address = 0] }: DeyeRegisterRow): number {
  return address;
}

function slots(name: string, values: readonly (number | string)[]): Record<string, number | string> {
  return Object.fromEntries(values.map((value, index) => [`${name} ${index + 1}`, value]));
}
