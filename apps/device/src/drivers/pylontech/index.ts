export { BadFrame } from '../frame-errors.ts';
export { COMMAND, VERSION } from './commands.ts';
export { pylontech as family } from './family.ts';
