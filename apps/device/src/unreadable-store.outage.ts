import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '@heliograph/dev/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileBadSector, hasBadSectors, runWithBadSector } from '../test/storage/bad-sector.ts';
import { startWholeDevice } from '../test/whole-device.ts';
import { DATABASE_FILE, inTransaction } from './storage/database.ts';

const HOUR_MS = 60 * 60 * 1000;
const HOURS = 8_760;
const SCRIPT = join(import.meta.dirname, '../test/report-store.ts');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  const whole = join(folder.path, 'whole');
  mkdirSync(whole);
  await (await startWholeDevice('mdns: false\n', { dataFolder: whole })).stop();
  const db = new DatabaseSync(join(whole, DATABASE_FILE));
  const hour = db.prepare('INSERT INTO energy_hours (start, covered_ms, pv) VALUES (?, ?, ?)');
  inTransaction(db, () => {
    for (let i = 0; i < HOURS; i++) hour.run(Date.UTC(2025, 0, 1) + i * HOUR_MS, HOUR_MS, 14_785_800_000 + i);
  });
  db.close();
  if (hasBadSectors) compileBadSector(folder.path);
});
afterAll(() => folder[Symbol.asyncDispose]());

/** The report of a device whose disk cannot read a part of its database. */
function reportOf(name: string, from: number, to: number, { hasCopy = true } = {}): unknown {
  const data = join(folder.path, name);
  cpSync(join(folder.path, 'whole'), data, { recursive: true });
  if (!hasCopy) rmSync(join(data, 'identity.json'));
  const { stdout, stderr } = runWithBadSector(folder.path, [SCRIPT, data], {
    file: join(data, DATABASE_FILE),
    from,
    to,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe.runIf(hasBadSectors)('a device whose disk cannot read its database', () => {
  it('a part that cannot be read is reported as an error of the disk', () => {
    expect(reportOf('part', 204_800, 208_896)).toEqual({
      check: {
        name: 'store',
        status: 'warning',
        detail: expect.stringMatching(
          /^The database had a read error of the disk on .* and lost the energy of/,
        ),
      },
      fault: null,
      alerts: [
        'store_damaged: The disk of the device could not read all stored data: its pages have what was lost',
      ],
    });
  });

  it('a whole file that cannot be read, without a copy of the identity, is not called damaged', () => {
    const { size } = statSync(join(folder.path, 'whole', DATABASE_FILE));
    expect(reportOf('all', 0, size, { hasCopy: false })).toEqual({
      check: {
        name: 'store',
        status: 'failed',
        detail: 'Settings and energy cannot be stored: the database cannot be read or written',
      },
      fault: 'unreadable',
      alerts: [],
    });
  });
});
