import { execFile } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

/** A process reports three times within systemd's deadline, so that one report may be late. */
const REPORTS_PER_DEADLINE = 3;

/**
 * Reports to systemd that a process of `Type=notify` is ready, is stopping and, with `WatchdogSec`, that its event loop
 * turns. The reports go through `systemd-notify`, because Node has no datagram sockets of the Unix domain: the unit needs
 * `NotifyAccess=all`. Without systemd nothing is reported.
 */
export class ServiceManager {
  readonly #isThere: boolean;
  readonly #onFailure: (state: string, error: Error) => void;
  /** Of the watchdog, in milliseconds; undefined where the unit has none. */
  readonly #deadlineMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param onFailure receives each report that systemd did not get */
  constructor(onFailure: (state: string, error: Error) => void, env: Environment = process.env) {
    this.#onFailure = onFailure;
    const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: deadlineUs, WATCHDOG_PID: pid } = env;
    this.#isThere = socket !== undefined && socket !== '';
    const isMeant = pid === undefined || Number(pid) === process.pid;
    this.#deadlineMs = deadlineUs === undefined || !isMeant ? undefined : Number(deadlineUs) / 1000;
  }

  ready(): void {
    this.#report('READY=1');
    if (!this.#isThere || this.#deadlineMs === undefined) return;
    this.#timer = setInterval(() => this.#report('WATCHDOG=1'), this.#deadlineMs / REPORTS_PER_DEADLINE);
    this.#timer.unref();
  }

  stopping(): void {
    clearInterval(this.#timer);
    this.#report('STOPPING=1');
  }

  #report(state: string): void {
    if (!this.#isThere) return;
    execFile('systemd-notify', [state], (error) => {
      if (error !== null) this.#onFailure(state, error);
    });
  }
}
