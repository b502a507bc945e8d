import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@heliograph/dev/testing';
import { silentLogger, systemClock } from '@heliograph/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileBadSector, hasBadSectors, runWithBadSector } from '../../test/storage/bad-sector.ts';
import { DATABASE_FILE, inTransaction } from './database.ts';
import { openStore } from './opening/open-store.ts';
import type { StoreLoss } from './salvage/store-loss.ts';

const HOUR_MS = 60 * 60 * 1000;
const HOURS = 8_760;
/** Hours in the four pages that a disk loses together. */
const HOURS_OF_A_SECTOR = 160;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let uid: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  const store = await openStore(join(folder.path, 'whole'), systemClock, silentLogger);
  uid = store.identity.uid;
  const hour = store.db.prepare('INSERT INTO energy_hours (start, covered_ms, pv) VALUES (?, ?, ?)');
  inTransaction(store.db, () => {
    for (let i = 0; i < HOURS; i++) hour.run(Date.UTC(2025, 0, 1) + i * HOUR_MS, HOUR_MS, 14_785_800_000 + i);
  });
  store.settings.set('tariffs', '[]');
  await store.close();
  if (hasBadSectors) compileBadSector(folder.path);
});
afterAll(() => folder[Symbol.asyncDispose]());

interface Opened {
  readonly uid: string;
  readonly hours: number;
  readonly tariffs: string;
  readonly loss: StoreLoss | null;
}

it.runIf(hasBadSectors).each([
  ['its header', 0, HOURS],
  ['the roots of its tables', 4_096, HOURS],
  ['a page of hours', 204_800, HOURS - HOURS_OF_A_SECTOR],
])('a database whose disk cannot read %s keeps every other row', (_what, at, hours) => {
  const data = join(folder.path, String(at));
  cpSync(join(folder.path, 'whole'), data, { recursive: true });
  const script = join(import.meta.dirname, '../../test/storage/open-and-count.ts');
  const { stdout, stderr } = runWithBadSector(folder.path, [script, data], {
    file: join(data, DATABASE_FILE),
    from: at,
    to: at + 4096,
  });
  expect(stderr).toBe('');
  const opened = JSON.parse(stdout) as Opened;
  expect(opened).toMatchObject({ uid, tariffs: '[]', loss: { cause: 'unreadable', settings: false } });
  expect(opened.hours).toBeGreaterThanOrEqual(hours);
});
