import { execFile } from 'node:child_process';
import { ConfigError, NewerDatabase } from './env.ts';
import { messageOf } from './errors.ts';
import { createLogger } from './logger.ts';
import { projectVersion } from './version.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A process reports three times within systemd's deadline, so that one report may be late. */
const REPORTS_PER_DEADLINE = 3;

/**
 * Reports to systemd that a process of `Type=notify` is ready, is stopping and, with `WatchdogSec`, that its event loop
 * turns. The reports go through `systemd-notify`, because Node has no datagram sockets of the Unix domain: the unit needs
 * `NotifyAccess=all`. Without systemd nothing is reported.
 */
class ServiceManager {
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

/** A started app: the facts its supervisor receives once it is ready, and how to stop it. */
export interface Running<Facts extends object = object> {
  /** Sent to the supervisor, such as the URL of the app. */
  readonly facts: Facts;
  stop(): Promise<void>;
}

/** The message a supervised process sends to its supervisor once it serves. */
export interface ReadyMessage<Facts extends object = object> {
  readonly type: 'ready';
  readonly facts: Facts;
}

export interface RunMainOptions {
  /** Of the program, in its log; `heliograph` when left out. */
  readonly name?: string;
  /** How long a stop may take before the process ends regardless, in milliseconds; 10 seconds when left out. */
  readonly stopDeadlineMs?: number;
  /** Whether a second signal ends the process at once, for a stop that may take long. */
  readonly secondSignalEnds?: boolean;
}

const STOP_DEADLINE_MS = 10_000;

/** EX_CONFIG of sysexits.h: the units do not restart a process that ends with it. */
const NO_RESTART_EXIT_CODE = 78;

/**
 * Runs an app's process: start, notify the supervisor or systemd (if there is one), stop once on SIGTERM, on SIGINT,
 * or when the supervisor goes away. With the argument `--version` it prints the version alone.
 *
 * A supervised process leaves SIGINT to its supervisor: a terminal sends Ctrl-C to the whole group, and the
 * parts must end in order.
 */
export async function runMain<Facts extends object>(
  start: () => Promise<Running<Facts>>,
  { name = 'heliograph', stopDeadlineMs = STOP_DEADLINE_MS, secondSignalEnds = false }: RunMainOptions = {},
): Promise<void> {
  if (process.argv[2] === '--version') {
    console.log(projectVersion());
    return;
  }
  // The supervisor may have died while this program was still loading; then the channel is gone already.
  const supervised = process.send !== undefined || process.env.HELIOGRAPH_SUPERVISED === '1';
  if (supervised && !process.connected) return;
  const serviceManager = new ServiceManager((state, error) =>
    createLogger(name, 'warn').warn({ state, err: error }, 'systemd was not notified'),
  );
  let running: Running<Facts> | undefined;
  let stopping = false;

  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    serviceManager.stopping();
    setTimeout(endNow, stopDeadlineMs).unref();
    try {
      await running?.stop();
    } catch (error) {
      report(name, 'the program did not stop as it should', error);
      process.exitCode = 1;
    }
    if (process.connected) process.disconnect();
  };

  const onSignal = (): void => {
    if (stopping && secondSignalEnds) endNow();
    void stop();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', () => void (supervised ? undefined : onSignal()));
  process.on('disconnect', () => void stop());

  try {
    running = await start();
  } catch (error) {
    report(name, 'the program cannot start', error);
    process.exitCode = error instanceof NewerDatabase ? NO_RESTART_EXIT_CODE : 1;
    if (process.connected) process.disconnect();
    return;
  }
  if (stopping) {
    await running.stop();
    return;
  }
  serviceManager.ready();
  process.send?.({ type: 'ready', facts: running.facts } satisfies ReadyMessage<Facts>);
}

/** Reports why a program ends: to a person at a terminal in plain text, to whatever collects its log as one of its lines. */
function report(name: string, what: string, error: unknown): void {
  const isExplained = error instanceof ConfigError || isSystemError(error);
  if (process.stderr.isTTY) {
    console.error(isExplained ? messageOf(error) : error);
    return;
  }
  // Whatever LOG_LEVEL leaves out, or is wrong itself.
  createLogger(name, 'fatal').fatal({ reason: messageOf(error), ...(!isExplained && { err: error }) }, what);
}

function endNow(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Errors of the operating system, such as a taken port, explain themselves without a stack. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
