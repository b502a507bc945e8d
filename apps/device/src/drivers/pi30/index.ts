export { pi30 as family } from './family.ts';
export { frameOf, REFUSED, TAKEN } from './frame.ts';
