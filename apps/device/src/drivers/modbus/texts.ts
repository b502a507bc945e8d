import type { AlarmsLayout, FlagsLayout } from './row.ts';

const ALL_ONES = 0xffff;
const CENTURY = 2000;

export function readAscii(registers: readonly number[]): string | null {
  const text = bytesOf(registers)
    .toString('latin1')
    .replace(/[\0 ]+$/, '');
  return /^[ -~]+$/.test(text) ? text : null;
}

/** @throws RangeError when the text is too long */
export function writeAscii(text: string, length: number): readonly number[] {
  return writeBytes(text, length, 'latin1');
}

/** Spaces around the text mean nothing. */
export function readUtf8(registers: readonly number[]): string | null {
  const [text = ''] = bytesOf(registers).toString('utf8').split('\0');
  return text.trim() === '' ? null : text.trim();
}

/** @throws RangeError when the text is too long */
export function writeUtf8(text: string, length: number): readonly number[] {
  return writeBytes(text, length, 'utf8');
}

function bytesOf(registers: readonly number[]): Buffer {
  return Buffer.from(registers.flatMap((register) => [register >> 8, register & 0xff]));
}

function writeBytes(text: string, length: number, encoding: 'latin1' | 'utf8'): readonly number[] {
  const bytes = Buffer.alloc(length * 2);
  if (Buffer.byteLength(text) > bytes.length) throw new RangeError(`${text} is too long`);
  bytes.write(text, encoding);
  return Array.from({ length }, (_, index) => bytes.readUInt16BE(index * 2));
}

/** Text with bytes of zero between or before its characters, such as one character a register. */
export function readCharacters(registers: readonly number[]): string | null {
  const text = Buffer.from(bytesOf(registers).filter((byte) => byte !== 0))
    .toString('latin1')
    .trimEnd();
  return /^[ -~]+$/.test(text) ? text : null;
}

/** @throws RangeError when the text is too long */
export function writeCharacters(text: string, length: number): readonly number[] {
  if (text.length > length) throw new RangeError(`${text} is too long`);
  return Array.from({ length }, (_, at) => text.charCodeAt(at) || 0);
}

export function readVersion([register = ALL_ONES]: readonly number[]): string | null {
  return register === ALL_ONES ? null : `${register >> 8}.${register & 0xff}`;
}

/** @returns such as `2026-05-19 07:39:41`; null for registers that hold no date */
export function readClock(registers: readonly number[]): string | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = bytesOf(registers);
  const valid = month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60 && second < 60;
  if (!valid || year === 0 || year > 99) return null;
  const date = [CENTURY + year, two(month), two(day)].join('-');
  return `${date} ${[hour, minute, second].map(two).join(':')}`;
}

/** @param text as `readClock` writes it */
export function writeClock(text: string): readonly number[] {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.split(/[- :]/).map(Number);
  return [((year - CENTURY) << 8) | month, (day << 8) | hour, (minute << 8) | second];
}

/** @returns `HH:MM:00`; null for a number that is no time of day */
export function readTime([register = ALL_ONES]: readonly number[]): string | null {
  const hours = Math.floor(register / 100);
  const minutes = register % 100;
  return hours < 24 && minutes < 60 ? `${two(hours)}:${two(minutes)}:00` : null;
}

/** Hours in the high byte, minutes in the low one. @returns as `readTime` does */
export function readTimeBytes([register = ALL_ONES]: readonly number[]): string | null {
  return readTime([(register >> 8) * 100 + Math.min(register & 0xff, 99)]);
}

/**
 * @param text `HH:MM` or `HH:MM:SS`; inverters know no seconds
 * @param hourWeight what one hour adds to the register
 * @throws RangeError when it is no time of day
 */
export function writeTime(text: string, hourWeight: 100 | 256): number {
  const match = /^([01]\d|2[0-3]):([0-5]\d)(?::00)?$/.exec(text);
  if (match === null) throw new RangeError(`${text} is no time of day in whole minutes`);
  return Number(match[1]) * hourWeight + Number(match[2]);
}

export function readFlags(layout: FlagsLayout, registers: readonly number[]): string | null {
  if (registers.every((register) => register === ALL_ONES)) return null;
  const set = registers.flatMap((register, word) =>
    Array.from({ length: 16 }, (_, bit) => ({ bit: word * 16 + bit, on: ((register >> bit) & 1) === 1 })),
  );
  const named = set.filter(({ on }) => on).map(({ bit }) => layout.labels[bit] ?? layout.unnamed(bit));
  return named.length === 0 ? layout.none : named.join(', ');
}

const WARNING = 1;

export function readAlarms({ labels }: AlarmsLayout, registers: readonly number[]): string {
  const raised = labels.flatMap((label, index) => {
    const level = registers[index] ?? 0;
    if (level === 0 || level === ALL_ONES) return [];
    return [level === WARNING ? `${label} (warning)` : label];
  });
  return raised.length === 0 ? 'OK' : raised.join(', ');
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
