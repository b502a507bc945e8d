import type { Quantity } from '@heliograph/metrics';
import type { Reading, Unit } from '../driver.ts';
import type { RegisterRow } from '../modbus/row.ts';
import { isUnlistedOption } from '../unlisted-option.ts';
import { chargerRows } from './device-maps.ts';
import { decodeBatteryService, decodeCharger, decodeMeter, decodeVebus } from './device-readings.ts';
import type { GxDevices, GxFrames } from './gx-reader.ts';
import { decodeRow, hasNewQuantity, quantitiesIn, type RowReading, readingOf } from './row-reading.ts';
import { ESS_STATE, SETTINGS } from './settings-map.ts';
import { decodeSystem, type GxPlan, outgrows, planOf } from './system-reading.ts';

export const MODEL = 'Victron GX';

/** A setting and its unit id. */
export interface SettingAddress {
  readonly unitId: number;
  readonly row: RegisterRow;
}

/** The units of a GX: the system as one inverter, then its batteries. */
export class GxUnits {
  readonly units: readonly Unit[];
  readonly #plan: GxPlan;

  /** @param opened the frames of the first reads, which determine the units' quantities */
  constructor(devices: GxDevices, opened: GxFrames) {
    this.#plan = planOf(devices, opened);
    const [system, ...batteries] = this.#decode(opened).map(quantitiesIn);
    this.units = [
      { kind: 'inverters', model: MODEL, quantities: system ?? [] },
      ...batteries.map((quantities): Unit => ({ kind: 'batteries', model: null, quantities })),
    ];
  }

  readings(frames: GxFrames): readonly Reading[] {
    return this.#decode(frames).map((readings, unit) => readingOf(readings, this.#quantities(unit)));
  }

  /** Whether the frames hold more than those of the first reads, or a setting has a value that it does not offer. */
  hasGrown(frames: GxFrames): boolean {
    if (outgrows(planOf(this.#plan.devices, frames), this.#plan)) return true;
    return this.#decode(frames).some(
      (readings, unit) =>
        hasNewQuantity(readings, this.#quantities(unit)) || this.#hasUnlistedOption(readings, unit),
    );
  }

  /** Whether the GX has lost the battery that a unit is. */
  isGone(frames: GxFrames, unit: number): boolean {
    return frames.batteries[unit - 1] === 'absent';
  }

  #hasUnlistedOption(readings: readonly RowReading[], unit: number): boolean {
    const values = new Map(readings.map(({ quantity, value }) => [quantity.name, value]));
    return this.#quantities(unit).some((quantity) => isUnlistedOption(quantity, values.get(quantity.name)));
  }

  /** @returns undefined unless the system has such a setting */
  settingAddress(unit: number, name: string, gxUnitId: number): SettingAddress | undefined {
    const has = this.#quantities(unit).some((quantity) => quantity.name === name && quantity.setting);
    return has
      ? settingAddresses(this.#plan.devices, gxUnitId).find(({ row }) => row.quantity.name === name)
      : undefined;
  }

  #quantities(unit: number): readonly Quantity[] {
    return this.units[unit]?.quantities ?? [];
  }

  #decode(frames: GxFrames): readonly (readonly RowReading[])[] {
    return [decodeInverter(this.#plan, frames), ...frames.batteries.map(decodeBatteryService)];
  }
}

function decodeInverter(plan: GxPlan, frames: GxFrames): readonly RowReading[] {
  const { vebus, gridMeter } = plan.devices;
  const settings = SETTINGS.filter(({ service }) => service !== 'vebus' || vebus !== undefined);
  return [
    ...decodeSystem(plan, frames),
    ...(vebus === undefined ? [] : decodeVebus(frames.vebus, plan.phases)),
    ...frames.solarChargers.flatMap((frame, index) => decodeCharger(frame, index + 1)),
    ...(gridMeter === undefined ? [] : decodeMeter(frames.grid, vebus === undefined)),
    decodeRow(frames.settings, ESS_STATE),
    ...settings.map(({ service, row }) => decodeRow(frames[service], row)),
  ];
}

function settingAddresses({ vebus, solarChargers }: GxDevices, gxUnitId: number): readonly SettingAddress[] {
  return [
    ...SETTINGS.map(({ service, row }) => ({ row, unitId: service === 'vebus' ? (vebus ?? -1) : gxUnitId })),
    ...solarChargers.map((unitId, index) => ({ row: chargerRows(index + 1).enabled, unitId })),
  ];
}
