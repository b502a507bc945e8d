import { chargerRows, decode, encode, type RegisterRow, SERVICE_ROWS } from '@heliograph/device/victron-gx';
import type { MetricValue } from '@heliograph/metrics';
import { BATTERY } from '../physics/battery.ts';
import type { PlantSettings } from '../physics/settings.ts';

/** Values as installed. */
const AS_INSTALLED: Readonly<Record<string, MetricValue>> = {
  'Grid setpoint': 50,
  'Max charge percentage': 100,
  'Max discharge percentage': 100,
  'Max discharge power': -1,
  'Max charge current': -1,
  'Max sell power': -1,
  'Export to grid': 'Enabled',
  'Prevent AC PV feed in': 'Feed in',
  'Max charge voltage': 56,
  'Battery life state': 'BatteryLife off',
  'Minimum state of charge': 10,
  'ESS mode': 'ESS with phase compensation',
  'Input current limit': 32,
  'Power mode': 'On',
  'Disable charge': 'Charge allowed',
  'Relay 1': 'Open',
  'MPPT enabled 1': 'On',
};

/** The codes that a GX derives from the two that are written: running with BatteryLife, and without. */
const BATTERY_LIFE = { name: 'Battery life state', becomes: { 0: 10, 1: 2 } as Record<number, number> };

/** From here on a percentage of the discharge allows all of it. */
const DISCHARGES_FROM_PERCENT = 50;
const BOTH_LIMITS = 3;

const ROWS: readonly RegisterRow[] = [...Object.values(SERVICE_ROWS).flat(), chargerRows(1).enabled].filter(
  ({ quantity }) => quantity.setting !== undefined,
);

/** The settings of a GX and of one of each of its devices, which are registers of 16 bits. */
export class GxStoredSettings {
  readonly #registers = new Map(
    ROWS.map((row) => [addressOf(row), encode(row, AS_INSTALLED[row.quantity.name] ?? null)[0] ?? 0]),
  );

  /** The raw registers by address. */
  get registers(): ReadonlyMap<number, number> {
    return this.#registers;
  }

  /** @returns whether there is such a setting */
  write(register: number, raw: number): boolean {
    const row = ROWS.find((one) => addressOf(one) === register);
    if (row === undefined) return false;
    const becomes = row.quantity.name === BATTERY_LIFE.name ? BATTERY_LIFE.becomes[raw] : undefined;
    this.#registers.set(register, becomes ?? raw);
    return true;
  }

  /** The plant's settings that follow from those of the GX. */
  get orders(): Partial<PlantSettings> {
    const value = (name: string): MetricValue => {
      const row = ROWS.find(({ quantity }) => quantity.name === name);
      return row === undefined ? null : decode(row, [this.#registers.get(addressOf(row)) ?? 0]);
    };
    const number = (name: string): number => Number(value(name) ?? 0);
    const mode = value('Power mode');
    const discharges =
      mode !== 'Charger only' && number('Max discharge percentage') >= DISCHARGES_FROM_PERCENT;
    const charges = mode !== 'Inverter only' && value('Disable charge') === 'Charge allowed';
    const chargeW = limited(number('Max charge current') * BATTERY.nominalV, BATTERY.maxChargeW);
    const dischargeW = limited(number('Max discharge power'), BATTERY.maxDischargeW);
    return {
      Conn: mode === 'Off' ? 0 : 1,
      StorCtl_Mod: BOTH_LIMITS,
      MinRsvPct: number('Minimum state of charge'),
      InWRte: charges ? (chargeW * number('Max charge percentage')) / BATTERY.maxChargeW : 0,
      OutWRte: discharges ? (100 * dischargeW) / BATTERY.maxDischargeW : 0,
    };
  }
}

function addressOf({ registers: [address = 0] }: RegisterRow): number {
  return address;
}

/** A negative limit is none. */
function limited(watts: number, mostW: number): number {
  return watts < 0 ? mostW : Math.min(watts, mostW);
}
