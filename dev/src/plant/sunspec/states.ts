import type { PlantReading, PlantState } from '../physics/plant.ts';
import type { PlantSettings } from '../physics/settings.ts';

/** Everything the registers are made from: one instant of the plant. */
export interface SunSpecInstant {
  readonly reading: PlantReading;
  readonly state: PlantState;
  readonly settings: PlantSettings;
  readonly serialNumber: string;
}

/** Operating states of models 103 and 160. */
export const STATE = { off: 1, sleeping: 2, mppt: 4, throttled: 5, standby: 8 } as const;
/** Charge states of models 124 and 802. */
const CHARGE = { off: 1, empty: 2, discharging: 3, charging: 4, full: 5, holding: 6 } as const;

export function operatingState(reading: PlantReading, settings: PlantSettings): number {
  if (settings.Conn === 0) return STATE.off;
  if (reading.curtailed) return STATE.throttled;
  if (reading.pvW[0] + reading.pvW[1] > 0 || reading.batteryW !== 0) return STATE.mppt;
  return STATE.standby;
}

export function chargeState(reading: PlantReading, settings: PlantSettings): number {
  if (reading.batteryW > 0) return CHARGE.charging;
  if (reading.batteryW < 0) return CHARGE.discharging;
  if (settings.Conn === 0) return CHARGE.off;
  if (reading.stateOfChargePct >= 99.5) return CHARGE.full;
  return reading.stateOfChargePct <= settings.MinRsvPct + 0.2 ? CHARGE.empty : CHARGE.holding;
}
