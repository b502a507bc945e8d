import type { World } from '../../../src/admin/cli/command.ts';
import { runDeviceProgram } from '../../../src/admin/cli/program.ts';

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramWorld extends Pick<World, 'backupKeyCost'> {
  /** Read on standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the program in this process. */
export async function runProgram(
  args: readonly string[],
  { input = '', env = {}, ...world }: ProgramWorld = {},
): Promise<Finished> {
  const out: string[] = [];
  const err: string[] = [];
  const answers = input.split('\n');
  const code = await runDeviceProgram(args, {
    print: (text) => out.push(text),
    warn: (line) => err.push(line),
    readInput: async () => input,
    readSecret: async () => answers.shift(),
    env,
    ...world,
  });
  return { code, stdout: out.join('\n'), stderr: err.join('\n') };
}
