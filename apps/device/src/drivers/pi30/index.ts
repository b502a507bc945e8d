export { pi30 as family } from './family.ts';
export { ACKNOWLEDGED, frameOf, REFUSED } from './frame.ts';
