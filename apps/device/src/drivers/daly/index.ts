export { daly as family } from './family.ts';
