export { type PlantConfig, plantConfigFromEnv } from './config.ts';
export { chance } from './physics/noise.ts';
export type { PlantSettings } from './physics/settings.ts';
export { simulatedHome } from './physics/simulated-home.ts';
export { type PlantFacts, type PlantOptions, startPlant } from './start-plant.ts';
export { readWrites } from './write-log.ts';
