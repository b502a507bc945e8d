import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunFile } from '../src/run-file.ts';
import { hasEnded } from '../src/supervisor/process-table.ts';
import { treeOf } from '../src/testing/process-tree.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A first start installs nothing here, but may build the pages. */
const START_SECONDS = 240;

/** How long processes may take to end after a stop, in milliseconds. */
const END_MS = 15_000;

export const PROGRAMS = ['cloud', 'proxy', 'device', 'plant'] as const;
export type Program = (typeof PROGRAMS)[number];

/** The line in the log of a program that the run ended, on a busy machine before it was ready, and that `npm start` starts again. */
export const ENDED =
  /^The \w+ ended (?:before it was ready )?\((?:SIGKILL|exit code 0)(?:: .*)?\); starting it again in \d+ ms$/;

/** `npm start` as README.md has it, in a data folder of its own and at free ports. */
export class RunningSystem {
  readonly dataFolder: string;
  readonly #env: Readonly<Record<string, string>>;
  #npm: ChildProcess | undefined;
  #output = '';
  #errors = '';
  #run: RunFile | undefined;

  constructor(options: { dataFolder: string; env: Readonly<Record<string, string>> }) {
    this.dataFolder = options.dataFolder;
    this.#env = options.env;
  }

  get run(): RunFile {
    if (this.#run === undefined) throw new Error('npm start does not run');
    return this.#run;
  }

  get logFolder(): string {
    return join(this.dataFolder, 'logs');
  }

  get deviceFolder(): string {
    return join(this.dataFolder, 'device');
  }

  /** The error output of npm and of `npm start`. */
  get errors(): string {
    return this.#errors;
  }

  /** The environment of a person in a terminal beside it. */
  get terminalEnv(): NodeJS.ProcessEnv {
    return { ...process.env, HELIOGRAPH_DATA: this.dataFolder };
  }

  async start(): Promise<void> {
    this.#output = '';
    // npm's own news would stand among the errors of the system.
    const npmEnv = { npm_config_update_notifier: 'false' };
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      env: {
        ...process.env,
        HELIOGRAPH_DATA: this.dataFolder,
        HELIOGRAPH_PORT: '0',
        ...npmEnv,
        ...this.#env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A terminal's Ctrl-C reaches the run alone, which then stops it in order.
      detached: true,
    });
    this.#npm = npm;
    npm.stdout.on('data', (text: Buffer) => (this.#output += text));
    npm.stderr.on('data', (text: Buffer) => (this.#errors += text));
    await until(
      'npm start printed its addresses or ended',
      () => this.#output.includes('Ctrl-C stops everything') || npm.exitCode !== null,
      { seconds: START_SECONDS },
    );
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}: ${this.#errors}`);
    this.#run = JSON.parse(await readFile(join(this.dataFolder, 'run.json'), 'utf8')) as RunFile;
  }

  /** As Ctrl-C does. @throws when a process is left, or the exit code is not that of an orderly end */
  async stop(): Promise<void> {
    const npm = this.#npm;
    if (npm?.pid === undefined || npm.exitCode !== null) return;
    this.#npm = undefined;
    const tree = await treeOf(npm.pid);
    const ended = once(npm, 'exit');
    process.kill(-npm.pid, 'SIGINT');
    const [code, signal] = await ended;
    const left = await Promise.all(tree.map((pid) => hasEnded(pid, END_MS)));
    if (left.includes(false)) throw new Error('npm start ended and left processes');
    // npm ends by the signal itself once its script has ended with 0.
    if (code !== 0 && signal !== 'SIGINT') throw new Error(`npm start ended with the exit code ${code}`);
  }

  /** The process id of a program, which changes when it is started again. */
  async pidOf(program: Program): Promise<number> {
    const tree = await treeOf(this.#npm?.pid ?? 0);
    for (const pid of tree) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (command.split('\0').some((part) => part.endsWith(ENTRIES[program]))) return pid;
    }
    throw new Error(`The ${program} does not run`);
  }

  async signal(program: Program, signal: NodeJS.Signals): Promise<void> {
    process.kill(await this.pidOf(program), signal);
  }

  /** Ends a program by a signal, and waits until another process of it runs. */
  async endBy(program: Program, signal: NodeJS.Signals): Promise<void> {
    const pid = await this.pidOf(program);
    process.kill(pid, signal);
    await until(`the ${program} was started again`, async () => (await this.pidOf(program)) !== pid);
  }
}

const ENTRIES: Readonly<Record<Program, string>> = {
  cloud: 'apps/cloud/src/main.ts',
  proxy: 'apps/proxy/src/main.ts',
  device: 'apps/device/src/main.ts',
  plant: 'plant/main.ts',
};
