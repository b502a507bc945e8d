import { appendFileSync, readFileSync } from 'node:fs';
import type { PlantSettings } from './physics/settings.ts';

/** One write that the simulated inverter took. */
export interface PlantWrite {
  /** Real milliseconds since the epoch, whatever the plant's own time. */
  readonly at: number;
  readonly changes: Partial<PlantSettings>;
}

/** Adds a line before the write is answered, so that no answered write is missing after a kill. */
export function logWrite(file: string, write: PlantWrite): void {
  appendFileSync(file, `${JSON.stringify(write)}\n`, { mode: 0o600 });
}

/** All writes, the oldest first. */
export function readWrites(file: string): readonly PlantWrite[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as PlantWrite);
}
