import { stat, statfs } from 'node:fs/promises';
import { freemem, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import type { DeviceAbout } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import type { ClockCorrection } from '../../energy/energy-meter.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** Files of the data folder whose sizes are of use. */
const DATA_FILES = ['device.sqlite', 'device.sqlite-wal', 'history.sqlite', 'history.sqlite-wal'];

const MB = 1_000_000;

export interface DeviceState {
  readonly about: DeviceAbout;
  readonly dataFolder: string;
  readonly corrections: readonly ClockCorrection[];
  readonly clock: Clock;
}

/** Software, board, clock, disk and memory. */
export async function presentDevice(state: DeviceState, pseudonyms: Pseudonyms): Promise<object> {
  const { about, dataFolder, corrections, clock } = state;
  const { rss, heapUsed } = process.memoryUsage();
  return {
    device: pseudonyms.of('device', about.uid),
    version: about.version,
    build_date: about.build_date,
    node_version: process.version,
    arch: about.arch,
    board: about.board,
    site_id: about.site_id,
    uptime_s: { process: Math.round(process.uptime()), machine: Math.round(uptime()) },
    clock: {
      now: new Date(clock.now()).toISOString(),
      time_zone: about.time_zone,
      corrections: corrections.map(({ fromMs, toMs }) => ({
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
      })),
    },
    disk: { ...(await fileSystem(dataFolder)), files: await fileSizes(dataFolder) },
    memory: {
      total_mb: whole(totalmem()),
      free_mb: whole(freemem()),
      process_mb: whole(rss),
      heap_mb: whole(heapUsed),
    },
  };
}

async function fileSystem(folder: string): Promise<object> {
  const { blocks, bavail, bsize } = await statfs(folder);
  return { size_mb: whole(blocks * bsize), free_mb: whole(bavail * bsize) };
}

async function fileSizes(folder: string): Promise<object[]> {
  const sizes = DATA_FILES.map(async (name) => {
    const file = await stat(join(folder, name)).catch(() => undefined);
    return file === undefined ? [] : [{ name, size_bytes: file.size }];
  });
  return (await Promise.all(sizes)).flat();
}

function whole(bytes: number): number {
  return Math.round(bytes / MB);
}
