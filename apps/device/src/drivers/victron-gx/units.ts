import type { Quantity } from '@heliograph/metrics';
import type { Reading, Unit } from '../driver.ts';
import { chargerRows } from './charger-map.ts';
import { tellBatteryService, tellCharger, tellMeter, tellVebus } from './device-readings.ts';
import type { Devices, Frames } from './frames.ts';
import { outgrows, type Plan, planOf } from './plan.ts';
import type { Row } from './row.ts';
import { ESS_STATE, SETTINGS } from './settings-map.ts';
import { tellSystem } from './system-reading.ts';
import { quantitiesIn, readingOf, type Told, tellRow, tellsMore } from './told.ts';

export const MODEL = 'Victron GX';

/** A setting and the unit id behind which it stands. */
export interface SettingPlace {
  readonly unitId: number;
  readonly row: Row;
}

/** The units of a GX: the system as one inverter, then its batteries. */
export class GxUnits {
  readonly units: readonly Unit[];
  readonly #plan: Plan;

  /** @param opened what was read when it was opened: it decides what the units have */
  constructor(devices: Devices, opened: Frames) {
    this.#plan = planOf(devices, opened);
    const [system, ...batteries] = this.#told(opened).map(quantitiesIn);
    this.units = [
      { kind: 'inverters', model: MODEL, quantities: system ?? [] },
      ...batteries.map((quantities): Unit => ({ kind: 'batteries', model: null, quantities })),
    ];
  }

  readings(frames: Frames): readonly Reading[] {
    return this.#told(frames).map((told, unit) => readingOf(told, this.#quantities(unit)));
  }

  /** Whether there is more than there was when it was opened. */
  tellMore(frames: Frames): boolean {
    if (outgrows(planOf(this.#plan.devices, frames), this.#plan)) return true;
    return this.#told(frames).some((told, unit) => tellsMore(told, this.#quantities(unit)));
  }

  /** @returns undefined unless the system has such a setting */
  settingPlace(unit: number, name: string, gxUnitId: number): SettingPlace | undefined {
    const has = this.#quantities(unit).some((quantity) => quantity.name === name && quantity.setting);
    return has
      ? settingPlaces(this.#plan.devices, gxUnitId).find(({ row }) => row.quantity.name === name)
      : undefined;
  }

  #quantities(unit: number): readonly Quantity[] {
    return this.units[unit]?.quantities ?? [];
  }

  #told(frames: Frames): readonly (readonly Told[])[] {
    return [tellInverter(this.#plan, frames), ...frames.batteries.map(tellBatteryService)];
  }
}

function tellInverter(plan: Plan, frames: Frames): readonly Told[] {
  const { vebus, gridMeter } = plan.devices;
  const settings = SETTINGS.filter(({ service }) => service !== 'vebus' || vebus !== undefined);
  return [
    ...tellSystem(plan, frames),
    ...(vebus === undefined ? [] : tellVebus(frames.vebus, plan.phases)),
    ...frames.solarChargers.flatMap((frame, index) => tellCharger(frame, index + 1)),
    ...(gridMeter === undefined ? [] : tellMeter(frames.grid, vebus === undefined)),
    tellRow(frames.settings, ESS_STATE),
    ...settings.map(({ service, row }) => tellRow(frames[service], row)),
  ];
}

function settingPlaces({ vebus, solarChargers }: Devices, gxUnitId: number): readonly SettingPlace[] {
  return [
    ...SETTINGS.map(({ service, row }) => ({ row, unitId: service === 'vebus' ? (vebus ?? -1) : gxUnitId })),
    ...solarChargers.map((unitId, index) => ({ row: chargerRows(index + 1).enabled, unitId })),
  ];
}
