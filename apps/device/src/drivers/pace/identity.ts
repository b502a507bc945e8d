import { BATTERY } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';

const LENGTHS: readonly number[] = [20, 40];
const HARDWARE_VERSION_LENGTH = 20;

/**
 * The answer to C1H: 20 characters, such as `P16S100A-1812-1.00`, of which the part before the first hyphen is the
 * model.
 *
 * @throws BadFrame
 */
export function parseHardwareVersion(info: Uint8Array): readonly Entry[] {
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
export function parseSerialNumber(info: Uint8Array): readonly Entry[] {
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
