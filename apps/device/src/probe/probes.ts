import { randomUUID } from 'node:crypto';
import type { ProbeBody, ProbeReport } from '@heliograph/contracts';
import { AppError, type Clock, messageOf } from '@heliograph/kit';
import { canonicalAddress } from '../bus/address.ts';
import { foundHardware } from './found-hardware.ts';
import { chosenAttempts, type PlannedBus } from './plan.ts';
import { type Finding, probeBus } from './probe-bus.ts';
import { type UsedBus, userOf } from './used-ports.ts';

/** One look is under way: a line takes one question at a time. */
export class ProbeRunning extends AppError {
  constructor() {
    super('The device is looking for hardware already', { code: 'probe_running', status: 409 });
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A look at the machine's ports, and what became of it. */
interface Job {
  readonly id: string;
  readonly stopping: AbortController;
  readonly findings: Finding[];
  readonly notes: string[];
  readonly skipped: ProbeReport['skipped'];
  readonly progress: Writable<ProbeReport['progress']>;
  state: ProbeReport['state'];
  error: string | null;
  running: Promise<void>;
}

/** Looks for hardware while the device runs; never at what the device itself uses. */
export class Probes {
  readonly #used: readonly UsedBus[];
  readonly #clock: Clock;
  #job: Job | undefined;
  #planning = false;

  /** @param used the connections of the running device */
  constructor(used: readonly UsedBus[], clock: Clock) {
    this.#used = used;
    this.#clock = clock;
  }

  /** @returns the probe's id @throws ProbeRunning, or ValidationError when the wish names something there is not */
  async start(wish: ProbeBody): Promise<string> {
    if (this.#planning || this.#job?.state === 'running') throw new ProbeRunning();
    this.#planning = true;
    try {
      const planned = await chosenAttempts(wish);
      this.#job = this.#begin(planned);
      return this.#job.id;
    } finally {
      this.#planning = false;
    }
  }

  /** Undefined when it is not the last one. */
  report(id: string): ProbeReport | undefined {
    if (this.#job?.id !== id) return undefined;
    const { state, error, progress, findings, notes, skipped } = this.#job;
    return { id, state, error, progress, findings: findings.map(foundHardware), notes, skipped };
  }

  /** Ends it; nothing where it has ended already. */
  async cancel(id: string): Promise<void> {
    if (this.#job?.id === id) await this.stop();
  }

  async stop(): Promise<void> {
    this.#job?.stopping.abort();
    await this.#job?.running;
  }

  #begin(planned: readonly PlannedBus[]): Job {
    const skipped = planned.flatMap(({ address }) => {
      const user = userOf(address, this.#used);
      return user === null ? [] : [{ bus: canonicalAddress(address), in_use_by: user }];
    });
    const free = planned.filter(({ address }) => userOf(address, this.#used) === null);
    const job: Job = {
      id: randomUUID(),
      stopping: new AbortController(),
      findings: [],
      notes: planned.length === 0 ? [NO_PORTS] : [],
      skipped,
      progress: { tried: 0, of: free.reduce((sum, bus) => sum + targetsOf(bus), 0), now: null },
      state: 'running',
      error: null,
      running: Promise.resolve(),
    };
    job.running = this.#run(job, free);
    return job;
  }

  async #run(job: Job, buses: readonly PlannedBus[]): Promise<void> {
    const { signal } = job.stopping;
    try {
      let before = 0;
      for (const bus of buses) {
        if (signal.aborted) break;
        await this.#look(job, bus);
        before += targetsOf(bus);
        job.progress.tried = signal.aborted ? job.progress.tried : before;
      }
      job.state = signal.aborted ? 'cancelled' : 'done';
    } catch (error) {
      job.state = 'failed';
      job.error = messageOf(error);
    }
    job.progress.now = null;
  }

  async #look(job: Job, { address, attempts }: PlannedBus): Promise<void> {
    const before = job.progress.tried;
    let tried = 0;
    const report = await probeBus(attempts, this.#clock, undefined, {
      signal: job.stopping.signal,
      onTry: ({ family, address: at }, { unit }) => {
        job.progress.tried = before + tried++;
        job.progress.now = `${family.title}: ${canonicalAddress(at)}${unit === undefined ? '' : `, unit ${unit}`}`;
      },
    });
    job.findings.push(...report.findings);
    if (job.stopping.signal.aborted) return;
    const name = canonicalAddress(address);
    if (report.findings.length === 0) job.notes.push(...report.notes.map((note) => `${name}: ${note}`));
  }
}

const NO_PORTS = 'This machine has no USB serial port and no HID device';

function targetsOf({ attempts }: PlannedBus): number {
  return attempts.reduce((sum, { targets }) => sum + targets.length, 0);
}
