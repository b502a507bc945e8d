import { runDeviceProgram } from '../program.ts';

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program in this process. @param input what it reads on standard input */
export async function runProgram(
  args: readonly string[],
  { input = '', env = {} }: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {},
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
  });
  return { code, stdout: out.join('\n'), stderr: err.join('\n') };
}
