import { type AdminWorld, runAdmin } from '../admin.ts';
import { openOffice } from '../office.ts';

export interface Typed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** An operator at a database, within this process. */
export class Operator {
  readonly #databaseUrl: string;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  /** @param line what is typed after `heliograph admin`, parted at blanks; or the words */
  async types(line: string | readonly string[], input = ''): Promise<Typed> {
    const out: string[] = [];
    const err: string[] = [];
    const config = { databaseUrl: this.#databaseUrl, cloudUrl: 'http://cloud.example' };
    const world: AdminWorld = {
      print: (text) => out.push(`${text}\n`),
      warn: (text) => err.push(`${text}\n`),
      openOffice: (tell) => openOffice(config, tell),
      readPassword: async () => input,
    };
    const code = await runAdmin(typeof line === 'string' ? line.split(' ') : line, world);
    return { code, out: out.join(''), err: err.join('') };
  }

  /** What a command that succeeds answers in JSON. */
  async asks<T = Record<string, unknown>>(line: string | readonly string[], input?: string): Promise<T> {
    const words = typeof line === 'string' ? line.split(' ') : line;
    const { code, out, err } = await this.types([...words, '--json'], input);
    if (code !== 0) throw new Error(`heliograph admin ${words.join(' ')}: ${err}`);
    return JSON.parse(out);
  }
}
