export { jbd as family } from './family.ts';
