import type { PlantReading, PlantState } from '../physics/plant.ts';
import type { PlantSettings } from '../physics/settings.ts';

/** Everything the registers are made from: one instant of the plant. */
export interface SunSpecInstant {
  readonly reading: PlantReading;
  readonly state: PlantState;
  readonly settings: PlantSettings;
  readonly serialNumber: string;
}
