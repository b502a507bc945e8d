export { jkPb, type PbOptions } from './pb.ts';
export { jkUart, type UartOptions } from './uart.ts';
