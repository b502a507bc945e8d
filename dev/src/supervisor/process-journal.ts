import { readFile, rm } from 'node:fs/promises';
import { writePrivateFile } from '../data-folder/private-file.ts';
import { StartRefusal } from '../machine/start-refusal.ts';
import { hasEnded, identityOf } from './process-table.ts';

interface Entry {
  readonly pid: number;
  /** The system's record of when the process began: a pid alone is given to others later. */
  readonly identity: string;
}

/** How long processes of a killed start may take to notice and end, in milliseconds. */
const NOTICE_MS = 5000;
const KILL_MS = 2000;

/**
 * The processes of a start, on disk: when all of them are killed, or only their supervisor, the next start
 * finds those that are left and ends them before it takes their ports and files.
 */
export class ProcessJournal {
  readonly #path: string;
  readonly #entries = new Map<number, Entry>();
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  add(pid: number): Promise<void> {
    this.#writing = this.#writing.then(() => this.#add(pid)).catch(() => undefined);
    return this.#writing;
  }

  /** Forgets everything, after an orderly stop. */
  async clear(): Promise<void> {
    await this.#writing;
    await rm(this.#path, { force: true });
  }

  /** Ends what an earlier start left behind. */
  async endLeftovers(): Promise<void> {
    const text = await readFile(this.#path, 'utf8').catch(() => '[]');
    await Promise.all(parse(text).map(endLeftover));
    await this.clear();
  }

  async #add(pid: number): Promise<void> {
    const identity = await identityOf(pid);
    if (identity === undefined) return;
    this.#entries.set(pid, { pid, identity });
    await writePrivateFile(this.#path, JSON.stringify([...this.#entries.values()]));
  }
}

async function endLeftover({ pid, identity }: Entry): Promise<void> {
  if ((await identityOf(pid)) !== identity) return;
  // It ends by itself once it notices that its supervisor is gone, and saves what it has.
  if (await hasEnded(pid, NOTICE_MS)) return;
  if ((await identityOf(pid)) !== identity) return;
  process.kill(pid, 'SIGKILL');
  if (!(await hasEnded(pid, KILL_MS)))
    throw new StartRefusal(`Process ${pid} of an earlier start does not end`);
}

function parse(text: string): readonly Entry[] {
  try {
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is Entry {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'identity' in value &&
    typeof value.identity === 'string'
  );
}
