import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Clock ticks a second in `/proc`, the same on every Linux that Node runs on. */
const TICKS_PER_S = 100;

export interface Usage {
  /** Of one core. */
  readonly cpuShare: number;
  /** Proportional set (Pss), in MB (10^6 bytes). */
  readonly memoryMb: number;
}

/** Resources of a process over a period. Linux only. */
export async function usageOf(pid: number, durationS: number): Promise<Usage> {
  const before = cpuSeconds(pid);
  const start = performance.now();
  await delay(durationS * 1000);
  const seconds = (performance.now() - start) / 1000;
  return { cpuShare: (cpuSeconds(pid) - before) / seconds, memoryMb: proportionalMb(pid) };
}

/** Process ids of the children of a process. Linux only. */
export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text
    .split(' ')
    .filter((one) => one !== '')
    .map(Number);
}

/** Processor time of a process so far, in seconds of one core. Linux only. */
export function cpuSeconds(pid: number): number {
  return secondsIn(`/proc/${pid}/stat`);
}

/** Processor time of the thread with a process's event loop, as `cpuSeconds`. */
export function eventLoopSeconds(pid: number): number {
  return secondsIn(`/proc/${pid}/task/${pid}/stat`);
}

function secondsIn(file: string): number {
  // The second field, the command in brackets, may hold spaces; user and system time are fields 14 and 15.
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
}

/** Resident set of a process, in MB (10^6 bytes). Linux only. */
export function residentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kib) * 1024) / 1e6;
}

/** Proportional set of a process (Pss), which shares the pages of programs and libraries fairly, in MB (10^6 bytes). Linux only. */
export function proportionalMb(pid: number): number {
  const kib = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return (Number(kib) * 1024) / 1e6;
}
