import type { Duplex } from 'node:stream';
import { messageOf } from '@heliograph/kit';
import type { SerialLine } from '../address.ts';
import { portStream } from './port-stream.ts';

/**
 * Opens a serial port, for this process alone.
 *
 * @throws Error that says in plain words why it cannot be had
 */
export async function openSerialPort(path: string, line: Required<SerialLine>): Promise<Duplex> {
  // Loaded when it is needed: a device without a serial port shall run where there is no build of it.
  const { SerialPort } = await import('serialport');
  try {
    return portStream(await SerialPort.binding.open({ path, ...line, lock: true }));
  } catch (error) {
    throw new Error(inPlainWords(path, messageOf(error)), { cause: error });
  }
}

/** How long one character takes on the line, in milliseconds: a start bit and eight more stand before the rest. */
export function characterMs({ baudRate, parity, stopBits }: Required<SerialLine>): number {
  const bits = 9 + (parity === 'none' ? 0 : 1) + stopBits;
  return (bits * 1_000) / baudRate;
}

function inPlainWords(path: string, message: string): string {
  if (/no such file/i.test(message)) return `there is no ${path}`;
  if (/permission denied/i.test(message)) {
    return `${path} may not be opened by this user, who has to be in its group, usually "dialout"`;
  }
  if (/lock port/i.test(message)) return `${path} is open in another program`;
  if (/inappropriate ioctl/i.test(message)) return `${path} is no serial port`;
  return `${path} cannot be opened: ${message}`;
}
