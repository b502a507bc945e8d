import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Backoff, wait } from '@heliograph/kit';
import { StartRefusal } from '../machine/start-refusal.ts';
import { LastOutput } from './last-output.ts';
import { LogFile } from './log-file.ts';
import type { ProcessJournal } from './process-journal.ts';

export interface ProcessOptions<Facts extends object> {
  readonly name: string;
  /** Path of the TypeScript or JavaScript file that Node runs. */
  readonly entry: string;
  /** Options of Node itself. */
  readonly nodeFlags?: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** The variable that holds the port to listen on, and how to read the actual one from the facts. */
  readonly port?: { readonly variable: string; readonly of: (facts: Facts) => number };
  /** Remembers the process for a start that follows a kill of everything. */
  readonly journal?: ProcessJournal;
}

/** How long a process may take to end by itself before it is killed, in milliseconds. */
const STOP_TIMEOUT_MS = 10_000;
/** A process that ran this long restarts after the shortest back-off, in milliseconds. */
const STABLE_MS = 10_000;

/**
 * One of the system's programs in a process of its own.
 *
 * A process that ends before it was ready fails the start. One that ends later is started again on the same
 * port, after a short wait that grows while it keeps ending.
 */
export class ManagedProcess<Facts extends object> implements AsyncDisposable {
  readonly name: string;
  readonly #options: ProcessOptions<Facts>;
  readonly #log: LogFile;
  readonly #stopping = new AbortController();
  readonly #backoff = new Backoff({ minMs: 100, maxMs: 5000 });
  #child: ChildProcess | undefined;
  #ready = Promise.withResolvers<Facts>();
  #port: number | undefined;
  #restarting: Promise<void> | undefined;
  /** The earliest restart, in milliseconds of {@link performance.now}. */
  #downUntil = 0;

  constructor(options: ProcessOptions<Facts>) {
    this.name = options.name;
    this.#options = options;
    this.#log = new LogFile(options.logFile);
    this.#ready.promise.catch(() => undefined);
  }

  /** The process id, while there is a process. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get logFile(): string {
    return this.#log.path;
  }

  /** Resolves to what the process reports once it serves; throws with the last line of its output when it ends instead. */
  async start(): Promise<Facts> {
    const startedAt = performance.now();
    const failure = await this.#launch();
    if (failure !== undefined) {
      const error = new StartRefusal(
        `The ${this.name} ended before it was ready (${failure}); see ${this.logFile}`,
      );
      this.#ready.reject(error);
      throw error;
    }
    this.#watch(startedAt);
    return await this.#ready.promise;
  }

  /** The facts that the running process reports; waits for them while it restarts. */
  ready(): Promise<Facts> {
    return this.#ready.promise;
  }

  /** Ends the process in an orderly way, for good; kills it after a deadline, or at once when hurried. */
  async stop(options: { hurry?: boolean } = {}): Promise<void> {
    this.#stopping.abort();
    const child = this.#child;
    if (child !== undefined && isAlive(child)) {
      const exited = once(child, 'exit');
      child.kill(options.hurry ? 'SIGKILL' : 'SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(timer);
    }
    await this.#restarting;
  }

  /**
   * Sends a signal, as an accident would. A process that ends from it restarts.
   *
   * @param downMs the shortest time until then, such as that of a machine that has to boot first
   */
  kill(signal: NodeJS.Signals, downMs = 0): void {
    this.#downUntil = performance.now() + downMs;
    this.#child?.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Starts a process. Resolves once it is ready, or to the reason why it ended instead. */
  async #launch(): Promise<string | undefined> {
    const { entry, nodeFlags = [], env, port, journal } = this.#options;
    const child = spawn(process.execPath, [...nodeFlags, entry], {
      env: {
        ...env,
        ...(port && this.#port !== undefined ? { [port.variable]: String(this.#port) } : {}),
        // With it the process ends when this one is gone, even if that happens before it listens for it.
        HELIOGRAPH_SUPERVISED: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Groups of their own: a terminal's Ctrl-C or hang-up reaches us alone, and we end them in order.
      detached: true,
    });
    this.#child = child;
    const lastOutput = new LastOutput();
    child.stdout?.on('data', (text: Buffer) => this.#log.write(text));
    child.stderr?.on('data', (text: Buffer) => {
      this.#log.write(text);
      lastOutput.add(text.toString());
    });
    child.on('error', (error) => lastOutput.add(`${error.message}\n`));
    if (child.pid !== undefined) void journal?.add(child.pid);

    const isReady = new Promise<boolean>((resolve) => {
      child.on('message', (message) => {
        if (!isReadyMessage<Facts>(message)) return;
        if (port) this.#port = port.of(message.facts);
        this.#ready.resolve(message.facts);
        resolve(true);
      });
      // Not `exit`: the output is complete only when it is closed.
      child.once('close', () => resolve(false));
    });
    if (await isReady) return undefined;
    return child.signalCode ?? `exit code ${child.exitCode}: ${lastOutput.line}`;
  }

  /** Restarts the process whenever it ends, until it is stopped. */
  #watch(startedAt: number): void {
    const child = this.#child;
    if (child === undefined) return;
    const restart = (): void => {
      if (this.#stopping.signal.aborted) return;
      this.#ready = Promise.withResolvers<Facts>();
      this.#ready.promise.catch(() => undefined);
      if (performance.now() - startedAt > STABLE_MS) this.#backoff.reset();
      this.#restarting = this.#restart(`ended (${child.signalCode ?? `exit code ${child.exitCode}`})`);
    };
    if (isAlive(child)) child.once('exit', restart);
    else restart();
  }

  async #restart(reason: string): Promise<void> {
    let failure: string | undefined = reason;
    while (failure !== undefined) {
      const waitMs = Math.max(this.#backoff.nextMs(), this.#downUntil - performance.now());
      this.#log.write(`The ${this.name} ${failure}; starting it again in ${Math.round(waitMs)} ms\n`);
      if (!(await wait(waitMs, this.#stopping.signal))) break;
      const startedAt = performance.now();
      failure = await this.#launch();
      if (failure === undefined) this.#watch(startedAt);
      else failure = `ended before it was ready (${failure})`;
    }
    if (this.#stopping.signal.aborted) this.#ready.reject(new Error(`The ${this.name} was stopped`));
  }
}

function isAlive(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function isReadyMessage<Facts extends object>(message: unknown): message is { type: 'ready'; facts: Facts } {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
}
