export { type GxUnits, gxBank, serviceRegisters } from './gx-bank.ts';
export { type GxOptions, GxRegisters } from './gx-registers.ts';
