export { type PlantConfig, plantConfigFromEnv } from './config.ts';
export { simulatedHome } from './physics/simulated-home.ts';
export { type PlantFacts, type PlantOptions, startPlant } from './start-plant.ts';
