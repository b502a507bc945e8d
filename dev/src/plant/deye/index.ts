export { type DeyeOptions, DeyeRegisters } from './registers.ts';
