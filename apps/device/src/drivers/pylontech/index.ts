export { BadFrame } from '../frame-errors.ts';
export { COMMAND } from './commands.ts';
export { pylontech as family } from './family.ts';
export { decodeFrame, encodeFrame, locateFrame, type PylontechFrame } from './frame.ts';
