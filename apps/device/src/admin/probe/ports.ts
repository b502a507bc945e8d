import { readdir } from 'node:fs/promises';
import type { BusAddress } from '../../bus/address.ts';

/** The address of a port into which hardware may be plugged. */
export type PortAddress = Extract<BusAddress, { readonly path: string }>;

/**
 * The ports of this machine that hardware may be plugged into: USB adapters for serial lines, and USB HID devices.
 * Each serial port is there for Modbus and for protocols of their own.
 */
export async function ownPorts(): Promise<readonly PortAddress[]> {
  const serial = process.platform === 'linux' ? await linuxPorts(/^tty(USB|ACM)\d+$/) : await listedPorts();
  const hid = process.platform === 'linux' ? await linuxPorts(/^hidraw\d+$/) : [];
  return [
    ...serial.flatMap((path): PortAddress[] => [
      { transport: 'modbus-rtu', path },
      { transport: 'serial', path },
    ]),
    ...hid.map((path): PortAddress => ({ transport: 'hid', path })),
  ];
}

async function linuxPorts(name: RegExp): Promise<readonly string[]> {
  const names = await readdir('/dev');
  return names.filter((each) => name.test(each)).map((each) => `/dev/${each}`);
}

async function listedPorts(): Promise<readonly string[]> {
  const { SerialPort } = await import('serialport');
  return (await SerialPort.list()).map(({ path }) => path);
}
