import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { plausibleState } from './physics/plant.ts';
import { DEFAULT_SETTINGS } from './physics/settings.ts';
import type { PlantMemory } from './physics/simulated-plant.ts';
import { siteIn } from './physics/site.ts';
import { loadMemory, saveMemory } from './state-file.ts';

const NOW_MS = Date.UTC(2026, 5, 21, 12);
const memory: PlantMemory = {
  state: plausibleState(NOW_MS, siteIn('UTC', 37, 1, NOW_MS)),
  settings: { ...DEFAULT_SETTINGS, MinRsvPct: 35, OutWRte: -40 },
};

let folder: string;
let file: string;
const writers: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plant-'));
  file = join(folder, 'deep', 'plant.json');
});

afterEach(() => {
  for (const writer of writers.splice(0)) writer.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe("the plant's memory", () => {
  test('the last saved state is loaded', () => {
    saveMemory(file, { ...memory, settings: DEFAULT_SETTINGS });
    saveMemory(file, memory);
    expect(loadMemory(file)).toEqual(memory);
  });

  test('there is no state before the first save', () => {
    expect(loadMemory(file)).toBeUndefined();
  });

  test('a half-written successor leaves the saved state', () => {
    saveMemory(file, memory);
    writeFileSync(`${file}.new`, '{"format":1,"state":{"storedWh":12');
    expect(loadMemory(file)).toEqual(memory);
    saveMemory(file, memory);
    expect(loadMemory(file)).toEqual(memory);
  });

  test('a file with other contents is refused and not overwritten', () => {
    saveMemory(file, memory);
    for (const text of [
      '',
      'not json',
      '[]',
      '{"format":1}',
      readFileSync(file, 'utf8').replace('"storedWh": ', '"storedWh": -'),
    ]) {
      writeFileSync(file, text);
      expect(() => loadMemory(file)).toThrow('does not hold the state of a simulated plant');
    }
  });

  test('a setting out of bounds is loaded as its default', () => {
    saveMemory(file, { ...memory, settings: { ...memory.settings, OutWRte: 1000 } });
    expect(loadMemory(file)?.settings).toEqual({ ...memory.settings, OutWRte: DEFAULT_SETTINGS.OutWRte });
  });

  test.skipIf(!existsSync('/proc/self'))('saving fails at once when the folder cannot be made', () => {
    expect(() => saveMemory('/proc/nowhere/plant.json', memory)).toThrow('ENOENT');
  });

  test('the file is whole after a kill at any moment of writing', async () => {
    for (let round = 0; round < 5; round++) {
      const writer = spawnEndlessWriter();
      const ended = once(writer, 'exit');
      await expect.poll(() => existsSync(file)).toBe(true);
      const seen = readFileSync(file, 'utf8');
      await expect.poll(() => readFileSync(file, 'utf8'), { interval: 1 }).not.toBe(seen);
      writer.kill('SIGKILL');
      await ended;
      expect(loadMemory(file)?.settings).toEqual(memory.settings);
      rmSync(file);
    }
  });
});

/** Saves again and again, each time with another charge. */
function spawnEndlessWriter(): ChildProcess {
  const script = `
    import { saveMemory } from ${JSON.stringify(new URL('./state-file.ts', import.meta.url).href)};
    const [file, text] = process.argv.slice(1);
    const memory = JSON.parse(text);
    for (let wh = 1; ; wh = (wh + 1) % 10_000) {
      saveMemory(file, { ...memory, state: { ...memory.state, storedWh: wh } });
    }`;
  const args = ['--input-type=module', '-e', script, file, JSON.stringify(memory)];
  const writer = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  writers.push(writer);
  return writer;
}
