import type { Quantity } from '@heliograph/metrics';
import type { Reading, Unit } from '../driver.ts';
import { chargerRows } from './device-maps.ts';
import { decodeBatteryService, decodeCharger, decodeMeter, decodeVebus } from './device-readings.ts';
import type { GxDevices, GxFrames } from './gx-reader.ts';
import type { GxRegisterRow } from './row.ts';
import { decodeRow, hasNewQuantity, quantitiesIn, type RowReading, readingOf } from './row-reading.ts';
import { ESS_STATE, SETTINGS } from './settings-map.ts';
import { decodeSystem, outgrows, type Plan, planOf } from './system-reading.ts';

export const MODEL = 'Victron GX';

/** A setting and the unit id behind which it stands. */
export interface SettingAddress {
  readonly unitId: number;
  readonly row: GxRegisterRow;
}

/** The units of a GX: the system as one inverter, then its batteries. */
export class GxUnits {
  readonly units: readonly Unit[];
  readonly #plan: Plan;

  /** @param opened what was read when it was opened: it decides what the units have */
  constructor(devices: GxDevices, opened: GxFrames) {
    this.#plan = planOf(devices, opened);
    const [system, ...batteries] = this.#decode(opened).map(quantitiesIn);
    this.units = [
      { kind: 'inverters', model: MODEL, quantities: system ?? [] },
      ...batteries.map((quantities): Unit => ({ kind: 'batteries', model: null, quantities })),
    ];
  }

  readings(frames: GxFrames): readonly Reading[] {
    return this.#decode(frames).map((told, unit) => readingOf(told, this.#quantities(unit)));
  }

  /** Whether there is more than there was when it was opened. */
  hasGrown(frames: GxFrames): boolean {
    if (outgrows(planOf(this.#plan.devices, frames), this.#plan)) return true;
    return this.#decode(frames).some((told, unit) => hasNewQuantity(told, this.#quantities(unit)));
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

function decodeInverter(plan: Plan, frames: GxFrames): readonly RowReading[] {
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
