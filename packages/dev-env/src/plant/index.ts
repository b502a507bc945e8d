export { type PlantConfig, plantConfigFromEnv } from './config.ts';
export { chance } from './physics/noise.ts';
export type { PlantReading } from './physics/plant.ts';
export type { PlantSettings } from './physics/settings.ts';
export { simulatedHome } from './physics/simulated-home.ts';
export { simulatedReadings } from './simulated-readings.ts';
export { type PlantFacts, type PlantOptions, startPlant } from './start-plant.ts';
export { readWrites } from './write-log.ts';
