import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from '@heliograph/kit';
import { freePort } from '../machine/free-port.ts';
import { programEnv } from '../machine/run-program.ts';
import { StartRefusal } from '../machine/start-refusal.ts';
import { type Account, accountFor } from './account.ts';
import { endLeftoverServer, ensureCluster, SUPERUSER, serverArguments } from './cluster.ts';
import { withConnection } from './databases.ts';
import { failureLine, isTransient } from './failure-line.ts';
import { type Dismiss, guard } from './guardian.ts';
import { clusterPlace, sweepOrphans } from './place.ts';
import { type Programs, programsFor } from './programs.ts';
import { copyToStandby, type Primary, STANDBY_NAME } from './standby.ts';

export interface PostgresOptions {
  /** An existing folder of ours; the cluster lies in its `postgres`. */
  readonly dataFolder: string;
  /** Password of the role `heliograph`; the one the cluster was made with. */
  readonly password: string;
  /** False where the data may be lost with the machine: faster. Default true. */
  readonly durable?: boolean;
  /** Deletes the data folder and the cluster at the stop, and also when the starting process is killed. */
  readonly throwAway?: boolean;
  /** Whether it is a primary that can have a standby, or a standby. Default false. */
  readonly replicated?: boolean;
  /** The running primary that this server is a standby of, from its first start on. */
  readonly standbyOf?: PostgresServer;
  /** Receives the server's log. */
  readonly log?: (text: string) => void;
  /** Takes private copies instead of the usual places. */
  readonly baseFolder?: string;
}

/** How long a start may take, including the recovery after a crash, in milliseconds. */
const READY_TIMEOUT_MS = 60_000;
/** How long a fast shutdown may take before the server is killed, in milliseconds. */
const STOP_TIMEOUT_MS = 10_000;
/** Starts that may fail for a transient reason. */
const MAX_ATTEMPTS = 40;
const RETRY_MS = 250;
const READY_LINE = /database system is ready to accept (?:read-only )?connections/;

/** A real PostgreSQL of our own on 127.0.0.1, with its data in a folder of ours. */
export class PostgresServer implements AsyncDisposable {
  readonly #options: PostgresOptions;
  #programs: Programs | undefined;
  #account: Account | undefined;
  #place = '';
  #cluster = '';
  #port = 0;
  #server: ChildProcess | undefined;
  #dismissGuardian: Dismiss = async () => undefined;
  #starting: Promise<void> | undefined;
  #stopping = false;

  constructor(options: PostgresOptions) {
    this.#options = options;
  }

  /** The process id of the server. */
  get pid(): number | undefined {
    return this.#server?.pid;
  }

  get port(): number {
    return this.#port;
  }

  /** A connection URL for a database of this server. */
  url(database = 'postgres'): string {
    return `postgresql://${SUPERUSER}:${encodeURIComponent(this.#options.password)}@127.0.0.1:${this.#port}/${database}`;
  }

  /** Starts the server, making the cluster first where there is none. Throws one clear line when it cannot. */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  async #start(): Promise<void> {
    const { dataFolder, password, durable = true, baseFolder, standbyOf } = this.#options;
    const base = baseFolder === undefined ? {} : { baseFolder };
    this.#account = await accountFor(join(dataFolder, 'postgres', 'data'));
    this.#programs = await programsFor(this.#account, base);
    this.#place = await clusterPlace(dataFolder, this.#account, base);
    const settings = { account: this.#account, password, durable };
    const made =
      standbyOf === undefined
        ? ensureCluster(this.#place, this.#programs, settings)
        : copyToStandby(this.#place, standbyOf.#asPrimary(), this.#account);
    this.#cluster = await realpath(await made);
    await endLeftoverServer(this.#cluster);
    await this.#launchWithRetries();
    await this.#sweep();
  }

  /** Ends all sessions, writes everything to disk and stops; kills the server after a deadline. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#endServer();
    // A start that was under way launches nothing any more, and must not come after us.
    await this.#starting?.catch(() => undefined);
    await this.#endServer();
    await this.#dismissGuardian();
    for (const folder of this.#throwAwayFolders()) await rm(folder, { recursive: true, force: true });
  }

  /** Kills the server for good, as the loss of its machine does. */
  async kill(): Promise<void> {
    this.#stopping = true;
    const server = this.#server;
    if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  }

  /** From now on the server confirms a write when its standby has it too. */
  async awaitStandby(): Promise<void> {
    await withConnection(this.url(), async (client) => {
      await client.query(`alter system set synchronous_standby_names = '${STANDBY_NAME}'`);
      await client.query('select pg_reload_conf()');
    });
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await withConnection(this.url(), (client) => client.query('select pg_promote()'));
  }

  /** Shortens a stop: the next start recovers what is then not written in order. */
  hurry(): void {
    this.#server?.kill('SIGQUIT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #endServer(): Promise<void> {
    const server = this.#server;
    if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGINT');
    const timer = setTimeout(() => server.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  }

  #asPrimary(): Primary {
    const { password } = this.#options;
    return { cluster: this.#cluster, port: this.#port, password, url: () => this.url() };
  }

  #throwAwayFolders(): readonly string[] {
    return this.#options.throwAway ? [this.#place, this.#options.dataFolder] : [];
  }

  async #sweep(): Promise<void> {
    const isElsewhere = dirname(this.#place) !== (await realpath(this.#options.dataFolder));
    if (isElsewhere) await sweepOrphans(dirname(this.#place), Date.now());
  }

  async #launchWithRetries(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      if (this.#port === 0 || attempt > 1) this.#port = await freePort();
      const failure = await this.#launch();
      if (failure === undefined) return;
      if (attempt >= MAX_ATTEMPTS || !isTransient(failure) || this.#stopping) {
        throw new StartRefusal(`PostgreSQL does not start: ${failureLine(failure)}`);
      }
      await delay(RETRY_MS);
    }
  }

  /** Resolves once the server takes connections, or to its output when it ended instead. */
  async #launch(): Promise<string | undefined> {
    if (this.#programs === undefined || this.#stopping) return 'it was stopped';
    const { durable = true, standbyOf, replicated = standbyOf !== undefined, log } = this.#options;
    const args = serverArguments({ cluster: this.#cluster, port: this.#port, durable, replicated });
    const server = spawn(this.#programs.postgres, args, {
      ...this.#account,
      cwd: '/',
      env: programEnv(),
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own: a terminal's Ctrl-C must not stop it before those that still write to it.
      detached: true,
    });
    this.#server = server;
    server.stderr.setEncoding('utf8');
    let output = '';
    const ready = new Promise<boolean>((resolve) => {
      server.stderr.on('data', (text: string) => {
        log?.(text);
        output = (output + text).slice(-4096);
        if (READY_LINE.test(output)) resolve(true);
      });
      server.once('error', (error) => {
        output += error.message;
        resolve(false);
      });
      server.once('close', () => resolve(false));
    });
    const timer = setTimeout(() => server.kill('SIGKILL'), READY_TIMEOUT_MS);
    const isReady = await ready;
    clearTimeout(timer);
    if (!isReady) return output.trim();
    const dismiss = guard(server.pid ?? 0, this.#throwAwayFolders());
    this.#dismissGuardian = dismiss;
    server.once('exit', () => {
      // Its pid may soon belong to another program.
      void dismiss();
      void this.#restart();
    });
    return undefined;
  }

  /** A server that was killed comes back on the port that its clients know. */
  async #restart(): Promise<void> {
    const backoff = new Backoff({ minMs: 100, maxMs: 5000 });
    while (!this.#stopping) {
      const failure = await this.#launch();
      if (failure === undefined) return;
      this.#options.log?.(`PostgreSQL does not come back: ${failureLine(failure)}\n`);
      await delay(backoff.nextMs(), undefined, { ref: false });
    }
  }
}
