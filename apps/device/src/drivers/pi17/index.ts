export { pi17 as family } from './family.ts';
