import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { System } from '@heliograph/dev';

/** Resources that a process holds. */
export interface Footprint {
  readonly name: string;
  /** Resident memory, in MB (10^6 bytes). */
  readonly residentMb: number;
  /** Files and sockets. */
  readonly openFiles: number;
}

/** How long after the last request is looked, and how often until all is back where it was, in milliseconds. */
const SETTLE_MS = 5_000;
const LOOKS = 12;

/** Growth that is allowed: V8 gives memory back late, and a tunnel or two may be elsewhere. */
const TOLERANCE = { residentShare: 0.25, residentMb: 10, openFiles: 10 };

/** Resources of every process a while after the last request. Linux only. */
export async function settledFootprints(system: System): Promise<readonly Footprint[]> {
  await delay(SETTLE_MS);
  return await footprints(system);
}

/** Waits until the processes are back at their footprint, for a minute at most. @returns their footprint then */
export async function returnedFootprints(
  system: System,
  before: readonly Footprint[],
): Promise<readonly Footprint[]> {
  for (let look = 1; ; look++) {
    const after = await settledFootprints(system);
    if (look === LOOKS || footprintFaults(before, after).length === 0) return after;
  }
}

/** @returns the processes that did not come back to their footprint, a sentence each */
export function footprintFaults(before: readonly Footprint[], after: readonly Footprint[]): string[] {
  const { residentShare, residentMb, openFiles } = TOLERANCE;
  return after.flatMap((now) => {
    const was = before.find(({ name }) => name === now.name);
    if (was === undefined) return [`${now.name} was not there before`];
    const limitMb = was.residentMb * (1 + residentShare) + residentMb;
    return [
      ...(now.residentMb > limitMb
        ? [`${now.name} keeps ${now.residentMb.toFixed(0)} MB of memory, above ${limitMb.toFixed(0)}`]
        : []),
      ...(now.openFiles > was.openFiles + openFiles
        ? [`${now.name} keeps ${now.openFiles} open files, above ${was.openFiles + openFiles}`]
        : []),
    ];
  });
}

async function footprints({ parts }: System): Promise<readonly Footprint[]> {
  const { cloud, proxies, device } = parts;
  return await Promise.all(
    [cloud, ...proxies, device].map(async (part) => {
      await part.ready();
      const status = await readFile(`/proc/${part.pid}/status`, 'utf8');
      const residentKib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
      const { length: openFiles } = await readdir(`/proc/${part.pid}/fd`);
      return { name: part.name, residentMb: (residentKib * 1024) / 1e6, openFiles };
    }),
  );
}
