import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../storage/database.ts';
import { kiloWattHours } from './energy-amount.ts';
import { EnergyStore } from './energy-store.ts';
import { energyOf } from './ledger.ts';

const PROGRAM = join(import.meta.dirname, '../../test/energy/count-until-killed.ts');

/** Energy of 3,600 W in the two seconds between two polls. */
const KWH_PER_POLL = 0.002;

/** Lets the program count in this folder and kills it once it has shown so many totals. @returns the last it showed */
async function shownBeforeKill(folder: string, totals: number): Promise<number> {
  const child = spawn(process.execPath, [PROGRAM, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let count = 0;
  let last = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (++count === totals) child.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  return last;
}

const storedKwh = (folder: string): number => {
  const db = openDatabase(folder);
  const state = new EnergyStore(db).load('UTC', () => undefined);
  const amount = state && energyOf(state, 'monthly')['PV energy'];
  db.close();
  return amount === undefined ? 0 : kiloWattHours(amount);
};

describe('energy of a process that is killed', () => {
  it('energy after a crash is never less than was shown, and goes on from there', {
    timeout: 30_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'device-crash-'));
    try {
      for (const totals of [40, 3, 71, 12]) {
        const before = storedKwh(folder);
        const shown = await shownBeforeKill(folder, totals);
        const stored = storedKwh(folder);
        expect(shown).toBeGreaterThan(before);
        expect(stored).toBeGreaterThanOrEqual(shown);
        expect(stored).toBeLessThanOrEqual(shown + KWH_PER_POLL + 1e-9);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
