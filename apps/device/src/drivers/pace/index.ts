export { pace as family } from './family.ts';
