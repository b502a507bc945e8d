import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { testProgram } from '../src/testing/test-programs.ts';

export interface CommandCall {
  readonly id: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
}

export interface CommandOutcome {
  readonly id: number;
  /** Of both streams, in the order in which it was printed. */
  readonly output: string;
  readonly code: number;
}

export interface CommandOptions {
  readonly env?: CommandCall['env'];
  /** On standard input. Default: nothing, which has ended. */
  readonly input?: string;
}

const ARGUMENT = /"([^"]*)"|\S+/g;

/** `heliograph` as packages have it, in one process that runs one command after the other. */
export class InstalledCommand implements AsyncDisposable {
  readonly #process: ChildProcess;
  #calls = 0;

  private constructor(child: ChildProcess) {
    this.#process = child;
  }

  /** @param dataFolder of the system that the commands are about */
  static async start(dataFolder: string): Promise<InstalledCommand> {
    const program = await testProgram('apps/cli/src/main');
    return new InstalledCommand(
      fork(join(import.meta.dirname, 'command-process.ts'), [program], {
        execArgv: [],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: { ...process.env, HELIOGRAPH_DATA: dataFolder },
      }),
    );
  }

  /**
   * Runs a command whose arguments are separated by spaces, but for those within double quotes.
   *
   * @returns its output, and a line with its exit code unless it is 0
   */
  async run(line: string, { env = {}, input = '' }: CommandOptions = {}): Promise<string> {
    const args = [...line.matchAll(ARGUMENT)].map(([word, quoted]) => quoted ?? word);
    const call: CommandCall = { id: this.#calls++, args, env, input };
    const stop = new AbortController();
    const ended = once(this.#process, 'exit', stop).then(() => {
      throw new Error(`The process of the commands ended at "${line}"`);
    });
    this.#process.send(call);
    try {
      const [outcome] = (await Promise.race([once(this.#process, 'message', stop), ended])) as [
        CommandOutcome,
      ];
      const { output, code } = outcome;
      return code === 0 ? output : `${output}exit ${code}\n`;
    } finally {
      stop.abort();
      await ended.catch(() => undefined);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.disconnect();
    await exited;
  }
}
