import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { messageOf, reasonOf } from '@heliograph/kit';

const UNIT = 'heliograph-device.service';

export interface HealthTimes {
  /** How long a restarted device may take until it stays healthy, in milliseconds. */
  readonly deadlineMs: number;
  /** How long it must answer without a failure, in milliseconds. */
  readonly stableMs: number;
  readonly pollMs: number;
}

export const HEALTH_TIMES: HealthTimes = { deadlineMs: 180_000, stableMs: 15_000, pollMs: 500 };

/** How long one answer may take, in milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000;

/** States of a machine that is not about to stop, as `systemctl is-system-running` prints them. */
const UP = /^(?:initializing|starting|running|degraded|maintenance)$/m;

/** The machine is going down: nothing can be learnt about a release. */
export class MachineStopping extends Error {
  override readonly name = 'MachineStopping';

  constructor() {
    super('the machine is stopping: the next update ends this one');
  }
}

/** The device's process, as the machine's service manager runs it. */
export class DeviceProcess {
  readonly #healthUrl: string;
  readonly #restartProgram: string | undefined;
  readonly #times: HealthTimes;

  /** @param restartProgram in place of `systemctl restart` */
  constructor(healthUrl: string, restartProgram: string | undefined, times = HEALTH_TIMES) {
    this.#healthUrl = healthUrl;
    this.#restartProgram = restartProgram;
    this.#times = times;
  }

  /** Whether its owner stopped it: a device that fails and is started again is not stopped. Without systemd that is unknown. */
  async isStopped(): Promise<boolean> {
    if (this.#restartProgram !== undefined) return false;
    return (await stateOf('is-active', UNIT)).trim() === 'inactive';
  }

  /**
   * With systemd, until the device reports that it is ready.
   *
   * @throws MachineStopping; another error where the device does not start
   */
  async restart(): Promise<void> {
    const program = this.#restartProgram;
    const [file, args] = program === undefined ? ['systemctl', ['restart', UNIT]] : [program, []];
    try {
      await promisify(execFile)(file, args, { timeout: this.#times.deadlineMs });
    } catch (error) {
      if (program === undefined && !(await isUp())) throw new MachineStopping();
      const printed = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
      // systemctl goes on with commands that show more.
      const [line = ''] = (printed || messageOf(error)).split('\n');
      throw new Error(line);
    }
  }

  /**
   * Waits until the device answers, and has answered for a while.
   *
   * @param abandoned read before each attempt: a reason ends the wait
   * @returns why it is not healthy; undefined where it is
   */
  async unhealthyReason(abandoned: () => Promise<string | undefined>): Promise<string | undefined> {
    const { deadlineMs, stableMs, pollMs } = this.#times;
    const until = performance.now() + deadlineMs;
    let healthySince: number | undefined;
    let reason = 'it does not answer';
    while (performance.now() < until) {
      const given = await abandoned();
      if (given !== undefined) return given;
      const failure = await this.#failure();
      if (failure === undefined) healthySince ??= performance.now();
      else {
        healthySince = undefined;
        reason = failure;
      }
      if (healthySince !== undefined && performance.now() - healthySince >= stableMs) return undefined;
      await sleep(pollMs);
    }
    return `${this.#healthUrl}: ${reason}`;
  }

  async #failure(): Promise<string | undefined> {
    try {
      const answer = await fetch(this.#healthUrl, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
      await answer.body?.cancel();
      return answer.ok ? undefined : `it answers ${answer.status}`;
    } catch (error) {
      return reasonOf(error);
    }
  }
}

async function isUp(): Promise<boolean> {
  return UP.test(await stateOf('is-system-running'));
}

/** Output of systemctl, which ends with a code other than 0 in most states and prints them all the same. */
async function stateOf(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('systemctl', args).catch((error: unknown) =>
    error instanceof Error && 'stdout' in error ? { stdout: String(error.stdout) } : { stdout: '' },
  );
  return stdout;
}
