import { type AdminProcess, runAdmin } from '../../../src/operator/admin/admin.ts';
import { openAdminPlatform } from '../../../src/operator/admin/platform.ts';

export interface CommandOutput {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the operator's command line on a database, within this process. */
export class Operator {
  readonly #databaseUrl: string;
  readonly #cloudUrl: string;

  constructor(databaseUrl: string, cloudUrl = 'http://cloud.example') {
    this.#databaseUrl = databaseUrl;
    this.#cloudUrl = cloudUrl;
  }

  /** @param line arguments after `heliograph admin`, as an array or separated by blanks */
  async run(line: string | readonly string[], input = ''): Promise<CommandOutput> {
    const out: string[] = [];
    const err: string[] = [];
    const config = { databaseUrl: this.#databaseUrl, cloudUrl: this.#cloudUrl };
    const host: AdminProcess = {
      print: (text) => out.push(`${text}\n`),
      warn: (text) => err.push(`${text}\n`),
      openPlatform: (print) => openAdminPlatform(config, print),
      readPassword: async () => input,
      readInput: async () => input,
    };
    const code = await runAdmin(typeof line === 'string' ? line.split(' ') : line, host);
    return { code, out: out.join(''), err: err.join('') };
  }

  /** @returns the JSON of a command @throws Error when it fails */
  async runForJson<T = Record<string, unknown>>(
    line: string | readonly string[],
    input?: string,
  ): Promise<T> {
    const args = typeof line === 'string' ? line.split(' ') : line;
    const { code, out, err } = await this.run([...args, '--json'], input);
    if (code !== 0) throw new Error(`heliograph admin ${args.join(' ')}: ${err}`);
    return JSON.parse(out);
  }
}
