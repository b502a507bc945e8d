export { seplosV2 as family } from './family.ts';
