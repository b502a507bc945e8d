export { pi18 as family } from './family.ts';
