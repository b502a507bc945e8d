/** `warning`: a person should act, but requests may come. */
export type CheckStatus = 'ok' | 'warning' | 'failed';

export interface CheckResult {
  readonly status: CheckStatus;
  /** A sentence for operators. Anyone may read it, so it has no addresses and no paths. */
  readonly detail: string;
}

export interface CheckRow extends CheckResult {
  readonly name: string;
}

/** Looks at one part; may take long. An error that it throws fails the row without its message. */
export type Check = () => CheckResult | Promise<CheckResult>;

export interface ReadinessAnswer {
  readonly status: 'ready' | 'not_ready';
  /** The detail of the first check that failed. */
  readonly error?: string;
  readonly checks: readonly CheckRow[];
}

/** How long a check may take, in milliseconds: all run at once, so that the answer takes less than a second. */
const CHECK_DEADLINE_MS = 700;

const LATE: CheckResult = { status: 'failed', detail: 'The check takes too long' };
const BROKEN: CheckResult = { status: 'failed', detail: 'The check failed' };

/** Whether a process can serve requests, a row for each part that it needs. */
export class Readiness {
  readonly #checks: ReadonlyMap<string, Check>;
  readonly #deadlineMs: number;
  /** Checks under way, which later requests wait for: those of a silent database must not pile up. */
  readonly #pending = new Map<string, Promise<CheckResult>>();

  /** @param checks by the names of their rows, in their order */
  constructor(checks: Readonly<Record<string, Check>>, deadlineMs = CHECK_DEADLINE_MS) {
    this.#checks = new Map(Object.entries(checks));
    this.#deadlineMs = deadlineMs;
  }

  async answer(): Promise<ReadinessAnswer> {
    const checks = await Promise.all(
      [...this.#checks].map(async ([name, check]) => ({ name, ...(await this.#run(name, check)) })),
    );
    const failed = checks.find(({ status }) => status === 'failed');
    if (failed === undefined) return { status: 'ready', checks };
    return { status: 'not_ready', error: failed.detail, checks };
  }

  async #run(name: string, check: Check): Promise<CheckResult> {
    const { promise: late, resolve } = Promise.withResolvers<CheckResult>();
    const timer = setTimeout(resolve, this.#deadlineMs, LATE);
    try {
      return await Promise.race([this.#once(name, check), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #once(name: string, check: Check): Promise<CheckResult> {
    const known = this.#pending.get(name);
    if (known !== undefined) return known;
    const started = resultOf(check).finally(() => this.#pending.delete(name));
    this.#pending.set(name, started);
    return started;
  }
}

async function resultOf(check: Check): Promise<CheckResult> {
  try {
    return await check();
  } catch {
    return BROKEN;
  }
}
