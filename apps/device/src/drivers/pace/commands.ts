import type { BatteryCommand } from '../ascii-frame/battery-command.ts';
import { BATTERY } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { parseAlarms } from './alarms.ts';
import { parseTelemetry } from './telemetry.ts';

const LENGTHS: readonly number[] = [20, 40];
const HARDWARE_VERSION_LENGTH = 20;

/**
 * The answer to C1H: 20 characters, such as `P16S100A-1812-1.00`, of which the part before the first hyphen is the
 * model.
 *
 * @throws BadFrame
 */
function parseHardwareVersion(info: Uint8Array): readonly Entry[] {
  if (info.length !== HARDWARE_VERSION_LENGTH)
    throw new BadFrame(`the answer holds ${info.length} characters instead of ${HARDWARE_VERSION_LENGTH}`);
  const version = text(info);
  return [
    [BATTERY.modelName, version?.split('-')[0] ?? null],
    [BATTERY.hardwareVersion, version],
  ];
}

/**
 * The answer to C2H: 20 or 40 characters.
 *
 * @throws BadFrame
 */
function parseSerialNumber(info: Uint8Array): readonly Entry[] {
  if (!LENGTHS.includes(info.length))
    throw new BadFrame(`the answer holds ${info.length} characters instead of ${LENGTHS.join(' or ')}`);
  return [[BATTERY.serialNumber, text(info)]];
}

/** Texts are padded with blanks and zeros; one of nothing but padding is none. */
function text(padded: Uint8Array): string | null {
  const bare = Buffer.from(padded)
    .toString('latin1')
    .replace(/[\0\s]+$/, '');
  return /^[\x20-\x7e]+$/.test(bare) ? bare : null;
}

/** The version of the protocol that is requested. */
export const VERSION = 0x25;

/** Those that write (99H to 9CH, and the even ones from B0H on) switch or configure a battery and are left alone. */
export const COMMAND = {
  telemetry: { code: 0x42, info: (address) => [address], parse: parseTelemetry },
  alarms: { code: 0x44, info: (address) => [address], parse: parseAlarms },
  hardwareVersion: { code: 0xc1, info: () => [], parse: parseHardwareVersion },
  serialNumber: { code: 0xc2, info: () => [], parse: parseSerialNumber },
} as const satisfies Readonly<Record<string, BatteryCommand>>;
