export { pylontechConsole } from './console.ts';
export { pylontechRs485, type StackOptions } from './rs485.ts';
