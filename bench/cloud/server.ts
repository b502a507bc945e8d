import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '@heliograph/dev/postgres';
import pg from 'pg';
import { startChild } from '../child.ts';
import { childrenOf, cpuSeconds } from '../usage.ts';
import { fill } from './fill.ts';
import { LOG_PREFIX } from './statements.ts';

const CLOUD = join(import.meta.dirname, '../../apps/cloud/src/main.ts');

/** A cloud in a process of its own, on a database with so many users and sites. */
export interface FilledCloud {
  readonly url: string;
  readonly pid: number;
  readonly databaseUrl: string;
}

/** One PostgreSQL, and clouds on databases of it, in a folder that is deleted with it. */
export class BenchServer implements AsyncDisposable {
  readonly #postgres: PostgresServer;
  readonly #undo: AsyncDisposableStack;
  readonly #program: string;
  /** Receives the log of the PostgreSQL server. */
  onLog: (text: string) => void = () => undefined;

  private constructor(
    postgres: (log: (text: string) => void) => PostgresServer,
    undo: AsyncDisposableStack,
    program: string,
  ) {
    this.#program = program;
    this.#postgres = postgres((text) => this.onLog(text));
    this.#undo = undo;
    undo.defer(() => this.#postgres.stop());
  }

  /** @param program of the cloud */
  static async start({ program = CLOUD } = {}): Promise<BenchServer> {
    await using undo = new AsyncDisposableStack();
    const dataFolder = await realpath(await mkdtemp(join(tmpdir(), 'heliograph-bench-')));
    undo.defer(() => rm(dataFolder, { recursive: true, force: true }));
    // Open enough for the account that PostgreSQL runs under when the benchmark runs as root.
    await chmod(dataFolder, 0o711);
    const options = { dataFolder, password: 'bench', durable: false };
    const server = new BenchServer((log) => new PostgresServer({ ...options, log }), undo.move(), program);
    await server.#postgres.start();
    return server;
  }

  /**
   * @param rows how many users, sites and devices
   * @param fillIn what puts them in
   */
  async cloud(rows: number, fillIn = fill): Promise<FilledCloud> {
    const name = `cloud_${rows}`;
    await this.#query('postgres', (client) => client.query(`create database ${name}`));
    const cloud = await this.#start(this.#postgres.url(name));
    await this.#query(name, (client) => fillIn(client, rows));
    return cloud;
  }

  /** Another process on the database of a cloud, with the same public URL. */
  secondCloud({ url, databaseUrl }: FilledCloud): Promise<FilledCloud> {
    return this.#start(databaseUrl, { CLOUD_URL: url });
  }

  /** Processor time of PostgreSQL so far, in seconds of one core, of processes that still run. */
  cpuSeconds(): number {
    const { pid = 0 } = this.#postgres;
    return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + cpuSeconds(one), 0);
  }

  async #start(databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<FilledCloud> {
    const { process: child, message } = await startChild<{ facts: { url: string } }>(this.#program, {
      env: {
        DATABASE_URL: databaseUrl,
        CLOUD_PORT: '0',
        CLOUD_SECRET: 'bench-secret-of-the-cloud-0123456789',
        CLOUD_MAILBOX: 'true',
        CLOUD_TRUSTED_PROXIES: '127.0.0.1',
        LOG_LEVEL: 'warn',
        ...env,
      },
    });
    this.#undo.defer(async () => void child.kill('SIGKILL'));
    return { url: message.facts.url, pid: child.pid ?? 0, databaseUrl };
  }

  /** Switches the logging of every statement, for sessions that are open too. */
  async logStatements(on: boolean): Promise<void> {
    // A setting of the server reaches open sessions, one of a database only new ones.
    await this.#query('postgres', async (client) => {
      await client.query(`alter system set log_statement = '${on ? 'all' : 'none'}'`);
      await client.query(`alter system set log_line_prefix = '${LOG_PREFIX}'`);
      await client.query('select pg_reload_conf()');
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#undo.disposeAsync();
  }

  async #query(database: string, use: (client: pg.Client) => Promise<unknown>): Promise<void> {
    const client = new pg.Client({ connectionString: this.#postgres.url(database) });
    await client.connect();
    try {
      await use(client);
    } finally {
      await client.end();
    }
  }
}
