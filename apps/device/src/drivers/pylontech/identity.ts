import { quantities } from '@heliograph/metrics';
import { AnswerReader } from '../answer-reader.ts';
import type { AsciiFrame } from '../ascii-frame/frame.ts';
import { BATTERY } from '../battery-quantities.ts';
import { BadFrame } from '../frame-errors.ts';
import type { ModuleAnswer } from './analog.ts';

export const SOFTWARE_VERSION = quantities.info('Software version');
export const PROTOCOL_VERSION = quantities.info('Protocol version');

const NAME_LENGTH = 10;
const MANUFACTURER_LENGTH = 20;
const SERIAL_NUMBER_LENGTH = 16;

/**
 * The answer to 51H, of the master: name 10, version 2, manufacturer 20.
 *
 * @throws BadFrame
 */
export function parseManufacturer(info: Uint8Array, address: number): ModuleAnswer {
  const reader = new AnswerReader(info);
  const name = reader.takeText(NAME_LENGTH);
  const version = reader.takeMany(2, 'u8').join('.');
  const manufacturer = reader.takeText(MANUFACTURER_LENGTH);
  reader.end();
  return {
    address,
    entries: [
      [BATTERY.manufacturer, text(manufacturer)],
      [BATTERY.modelName, text(name)],
      [SOFTWARE_VERSION, version],
    ],
  };
}

/**
 * The answer to 93H: address 1, 16 characters.
 *
 * @throws BadFrame
 */
export function parseSerialNumber(info: Uint8Array, requested: number): ModuleAnswer {
  const reader = new AnswerReader(info);
  const address = takeOwnAddress(reader, requested);
  const serialNumber = text(reader.takeText(SERIAL_NUMBER_LENGTH));
  reader.end();
  return { address, entries: [[BATTERY.serialNumber, serialNumber]] };
}

/**
 * The answer to 96H: address 1, manufacturer's version 2, main line version 3.
 *
 * @throws BadFrame
 */
export function parseFirmware(info: Uint8Array, requested: number): ModuleAnswer {
  const reader = new AnswerReader(info);
  const address = takeOwnAddress(reader, requested);
  reader.takeMany(2, 'u8');
  const mainLine = reader.takeMany(3, 'u8').join('.');
  reader.end();
  return { address, entries: [[BATTERY.firmwareVersion, mainLine]] };
}

/** The answer to 4FH has the version in its head: two hexadecimal digits, major and minor. */
export function parseProtocolVersion({ version, address }: AsciiFrame): ModuleAnswer {
  return { address, entries: [[PROTOCOL_VERSION, `${version >> 4}.${version & 0xf}`]] };
}

function takeOwnAddress(reader: AnswerReader, requested: number): number {
  const address = reader.take('u8');
  if (address !== requested) throw new BadFrame(`battery ${address} answered in place of ${requested}`);
  return address;
}

/** Names are padded with zeros or dashes; one of nothing but padding is none. */
function text(padded: string): string | null {
  const bare = padded.replace(/[\0\xff\s-]+$/, '');
  return /^[\x20-\x7e]+$/.test(bare) ? bare : null;
}
