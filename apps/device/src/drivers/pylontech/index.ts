export { COMMAND } from './commands.ts';
export { pylontech as family } from './family.ts';
export { BadFrame, decodeFrame, encodeFrame, type Frame, locateFrame } from './frame.ts';
