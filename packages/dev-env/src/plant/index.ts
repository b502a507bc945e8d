export { type PlantConfig, plantConfigFromEnv } from './config.ts';
export { type PlantFacts, type PlantOptions, startPlant } from './start-plant.ts';
