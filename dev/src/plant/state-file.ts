import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { BATTERY } from './physics/battery.ts';
import type { PlantState } from './physics/plant.ts';
import {
  DEFAULT_SETTINGS,
  type PlantSettings,
  SETTING_BOUNDS,
  type SettingName,
} from './physics/settings.ts';
import type { PlantMemory } from './physics/simulated-plant.ts';

const FORMAT = 1;

/**
 * Replaces the file: the new text goes beside it, onto the disk, and then takes its name, so that a
 * reader, even after a power cut, finds the whole old text or the whole new one.
 */
export function saveMemory(file: string, memory: PlantMemory): void {
  makeFolder(dirname(file));
  const beside = `${file}.new`;
  const handle = openSync(beside, 'w', 0o600);
  try {
    writeFileSync(handle, `${JSON.stringify({ format: FORMAT, ...memory }, null, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(beside, file);
}

/**
 * Makes a folder and those above it. Not with `recursive`: where the system refuses a folder inside one that
 * exists (as in `/proc`), Node 24 tries again without end.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  mkdirSync(folder, { mode: 0o700 });
}

/**
 * The contents of the file, or undefined when there is none.
 *
 * @throws Error when it cannot be read, or is not what `saveMemory` writes
 */
export function loadMemory(file: string): PlantMemory | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const memory = parse(text);
  if (memory === undefined) throw new Error(`${file} does not hold the state of a simulated plant`);
  return memory;
}

function parse(text: string): PlantMemory | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(json) || json.format !== FORMAT) return undefined;
  const state = parseState(json.state);
  const settings = parseSettings(json.settings);
  return state && settings && { state, settings };
}

function parseState(json: unknown): PlantState | undefined {
  if (!isRecord(json) || !isRecord(json.counters)) return undefined;
  const { storedWh, cellC, cabinetC } = json;
  const { pvWh, acWh, chargedWh, dischargedWh, importedWh, exportedWh } = json.counters;
  if (!isAmount(storedWh) || storedWh > BATTERY.capacityWh || !isNumber(cellC) || !isNumber(cabinetC)) {
    return undefined;
  }
  if (!Array.isArray(pvWh) || !isAmount(pvWh[0]) || !isAmount(pvWh[1])) return undefined;
  if (!isAmount(acWh) || !isAmount(chargedWh) || !isAmount(dischargedWh)) return undefined;
  if (!isAmount(importedWh) || !isAmount(exportedWh)) return undefined;
  const counters = {
    pvWh: [pvWh[0], pvWh[1]] as const,
    acWh,
    chargedWh,
    dischargedWh,
    importedWh,
    exportedWh,
  };
  return { storedWh, cellC, cabinetC, counters };
}

/** A setting that is missing (an older file) or out of bounds has its default. */
function parseSettings(json: unknown): PlantSettings | undefined {
  if (!isRecord(json)) return undefined;
  const settings = { ...DEFAULT_SETTINGS };
  for (const name of Object.keys(DEFAULT_SETTINGS) as SettingName[]) {
    const value = json[name];
    const [low, high] = SETTING_BOUNDS[name];
    if (isNumber(value) && value >= low && value <= high) settings[name] = value;
  }
  return settings;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isAmount(value: unknown): value is number {
  return isNumber(value) && value >= 0;
}
