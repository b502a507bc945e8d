import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Recording } from '../recording.ts';
import { jk } from './family.ts';

const FOLDER = join(import.meta.dirname, 'captures');
const CAPTURES = readdirSync(FOLDER).map((file): [string, Recording] => [
  file,
  JSON.parse(readFileSync(join(FOLDER, file), 'utf8')),
]);

it.each(CAPTURES)('a frame of %s gets the checksum that fits its bytes', (_file, recording) => {
  const frame = Buffer.from(recording.response?.hex ?? '', 'hex');
  expect(Buffer.from(jk.checkedFrame?.(frame) ?? []).toString('hex')).toBe(frame.toString('hex'));
  const other = Buffer.from(frame);
  // A byte of the data, whose value no check of the form depends on.
  other.writeUInt8(other.readUInt8(20) ^ 1, 20);
  const hex = Buffer.from(jk.checkedFrame?.(other) ?? []).toString('hex');
  expect(() => jk.decode({ ...recording, response: { hex } })).not.toThrow();
});
