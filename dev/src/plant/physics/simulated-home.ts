import type { Clock } from '@heliograph/kit';
import { PlantClock } from './plant-clock.ts';
import { SimulatedPlant } from './simulated-plant.ts';
import { siteIn } from './site.ts';

/** The simulated home without anything that speaks for it, at the pace of a clock: for simulated hardware and its tests. */
export function simulatedHome(clock: Clock, seed = 1): SimulatedPlant {
  const plantClock = new PlantClock(clock, { speed: 1 });
  return new SimulatedPlant(plantClock, siteIn('UTC', 37, seed, plantClock.now()));
}
