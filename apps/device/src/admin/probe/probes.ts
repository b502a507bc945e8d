import { randomUUID } from 'node:crypto';
import type { DeviceAuditOutcome, ProbeBody, ProbeReport } from '@heliograph/contracts';
import { AppError, type Clock, messageOf, wait } from '@heliograph/kit';
import type { Audit } from '../../access/audit/audit.ts';
import type { Caller } from '../../access/caller.ts';
import { canonicalAddress } from '../../bus/address.ts';
import { distinctFindings } from './distinct-findings.ts';
import { foundHardware } from './found-hardware.ts';
import { chosenAttempts, type PlannedBus } from './plan.ts';
import { type Finding, probeBus } from './probe-bus.ts';
import { loadRemoteScope, type RemoteScope } from './remote-scope.ts';
import { type UsedBus, userOf } from './used-ports.ts';

/** One look is under way: a line takes one question at a time. */
export class ProbeRunning extends AppError {
  constructor() {
    super('The device is looking for hardware already', { code: 'probe_running', status: 409 });
  }
}

/**
 * When a look at a host that a caller from outside the home asked for ends, unless hardware was found: always after this
 * time, in milliseconds, so that it does not reveal whether something refused, was silent or is not there.
 */
const FIXED_TIME_MS = 60_000;

/** The caller, as far as a probe has to know it. */
export type ProbeCaller = Pick<Caller, 'via' | 'name' | 'address'>;

export interface ProbesOptions {
  /** The connections of the running device. */
  readonly used: readonly UsedBus[];
  readonly clock: Clock;
  readonly audit: Audit;
  /** The addresses that callers from outside the home may name. */
  readonly reachable?: () => Promise<RemoteScope>;
  /** Resolves when the fixed time of a look from outside is over, or the signal aborts. */
  readonly fixedTime?: (signal: AbortSignal) => Promise<unknown>;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A look at the machine's ports, and what became of it. */
interface Job {
  readonly id: string;
  /** Whether it ends at a fixed time when nothing is found. */
  readonly inFixedTime: boolean;
  readonly planned: readonly string[];
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
  readonly #options: ProbesOptions;
  #job: Job | undefined;
  #planning = false;

  constructor(options: ProbesOptions) {
    this.#options = options;
  }

  /**
   * @param caller learns nothing but whether hardware was found, when it is outside the home
   * @returns the probe's id
   * @throws ProbeRunning, or ValidationError when the request names something unknown, or that the caller may not name
   */
  async start(body: ProbeBody, caller: ProbeCaller): Promise<string> {
    if (this.#planning || this.#job?.state === 'running') throw new ProbeRunning();
    this.#planning = true;
    try {
      const { reachable = loadRemoteScope, audit } = this.#options;
      const { via } = caller;
      const planned = await chosenAttempts(body, via === 'proxy' ? await reachable() : undefined);
      const trace = audit.begin('probe', caller, { subject: subjectOf(body) });
      const job = this.#begin(planned, via === 'proxy' && planned.some(({ address }) => 'host' in address));
      this.#job = job;
      void job.running.then(() => trace.end(outcomeOf(job)));
      return job.id;
    } finally {
      this.#planning = false;
    }
  }

  /**
   * Undefined when it is not the last one.
   *
   * @param caller gets the same reason for everything, when it is outside the home
   */
  report(id: string, { via }: Pick<ProbeCaller, 'via'>): ProbeReport | undefined {
    if (this.#job?.id !== id) return undefined;
    return via === 'proxy' ? remoteReport(this.#job) : reportOf(this.#job);
  }

  /** Ends it; nothing where it has ended already. */
  async cancel(id: string): Promise<void> {
    if (this.#job?.id === id) await this.stop();
  }

  async stop(): Promise<void> {
    this.#job?.stopping.abort();
    await this.#job?.running;
  }

  #begin(planned: readonly PlannedBus[], inFixedTime: boolean): Job {
    const { used } = this.#options;
    const skipped = planned.flatMap(({ address }) => {
      const user = userOf(address, used);
      return user === null ? [] : [{ bus: canonicalAddress(address), in_use_by: user }];
    });
    const free = planned.filter(({ address }) => userOf(address, used) === null);
    const job: Job = {
      id: randomUUID(),
      inFixedTime: inFixedTime && free.length > 0,
      planned: free.map(({ address }) => canonicalAddress(address)),
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
      await (job.inFixedTime ? this.#probeInFixedTime(job, buses) : this.#probeBuses(job, buses, signal));
      job.state = signal.aborted ? 'cancelled' : 'done';
    } catch (error) {
      job.state = 'failed';
      job.error = messageOf(error);
    }
    job.progress.now = null;
  }

  async #probeInFixedTime(job: Job, buses: readonly PlannedBus[]): Promise<void> {
    const { signal } = job.stopping;
    const { fixedTime = (ending) => wait(FIXED_TIME_MS, ending) } = this.#options;
    const ending = new AbortController();
    const timeUp = fixedTime(AbortSignal.any([signal, ending.signal]));
    const probing = this.#probeBuses(job, buses, AbortSignal.any([signal, ending.signal]));
    const failed = probing.then(
      () => undefined,
      (error: unknown) => error,
    );
    await Promise.race([timeUp, failed.then(() => (job.findings.length > 0 ? undefined : timeUp))]);
    ending.abort();
    await probing;
  }

  async #probeBuses(job: Job, buses: readonly PlannedBus[], signal: AbortSignal): Promise<void> {
    let before = 0;
    for (const bus of buses) {
      if (signal.aborted) break;
      await this.#probeOne(job, bus, signal);
      before += targetsOf(bus);
      job.progress.tried = signal.aborted ? job.progress.tried : before;
    }
  }

  async #probeOne(job: Job, bus: PlannedBus, signal: AbortSignal): Promise<void> {
    const { address, attempts } = bus;
    const before = job.progress.tried;
    const most = targetsOf(bus);
    let tried = 0;
    const report = await probeBus(attempts, this.#options.clock, undefined, {
      signal,
      onTry: ({ family, address: at }, { unit }) => {
        // With more patience some are tried again.
        job.progress.tried = before + Math.min(most, tried++);
        job.progress.now = `${family.title}: ${canonicalAddress(at)}${unit === undefined ? '' : `, unit ${unit}`}`;
      },
    });
    job.findings.push(...report.findings);
    if (signal.aborted) return;
    const name = canonicalAddress(address);
    if (report.findings.length === 0) job.notes.push(...report.notes.map((note) => `${name}: ${note}`));
  }
}

function subjectOf({ bus, driver, unit }: ProbeBody): string | null {
  const parts = [bus, driver, unit === undefined ? undefined : `unit ${unit}`];
  return parts.filter((part) => part !== undefined).join(', ') || null;
}

function outcomeOf({ state, findings }: Job): DeviceAuditOutcome {
  if (findings.length > 0) return 'found';
  return state === 'done' ? 'not found' : state === 'cancelled' ? 'cancelled' : 'failed';
}

function reportOf({ id, state, error, progress, findings, notes, skipped }: Job): ProbeReport {
  return {
    id,
    state,
    error,
    progress,
    findings: distinctFindings(findings).map(foundHardware),
    notes,
    skipped,
  };
}

/** Whether hardware was found, and nothing about what else there is, nor whose it is. */
function remoteReport(job: Job): ProbeReport {
  const { planned, progress, state } = job;
  const report = reportOf(job);
  const found = report.findings.length > 0;
  const notes = planned.length === 0 ? report.notes : planned.map((bus) => `${bus}: ${NOTHING_FOUND}`);
  const { of } = progress;
  const shown = state === 'running' ? 0 : of;
  return {
    ...report,
    findings: report.findings.map((finding) => ({
      ...finding,
      units: finding.units.map((unit) => ({ ...unit, serial_number: null })),
    })),
    error: report.error === null ? null : NOT_CARRIED_OUT,
    progress: job.inFixedTime ? { tried: shown, of, now: null } : progress,
    notes: state === 'running' || found ? [] : notes,
  };
}

const NOTHING_FOUND = 'no inverter and no battery answered';
const NOT_CARRIED_OUT = 'The device could not look for hardware';
const NO_PORTS = 'This machine has no USB serial port and no HID device';

function targetsOf({ attempts }: PlannedBus): number {
  return attempts.reduce((sum, { targets }) => sum + targets.length, 0);
}
