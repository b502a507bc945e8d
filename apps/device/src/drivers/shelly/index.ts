export { shelly as family } from './family.ts';
