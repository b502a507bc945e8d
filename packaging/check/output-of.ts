import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface Surroundings {
  readonly cwd?: string;
  /** The whole environment; that of this process when left out. */
  readonly env?: NodeJS.ProcessEnv;
}

/** @returns what a program prints on standard output @throws Error with what it prints on either stream */
export async function outputOf(
  program: string,
  args: readonly string[],
  { cwd, env = process.env }: Surroundings = {},
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd, env, maxBuffer: 1 << 26 });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** @returns what a program that fails prints on either stream @throws Error when it succeeds */
export async function failureOf(
  program: string,
  args: readonly string[],
  surroundings?: Surroundings,
): Promise<string> {
  const succeeded = await outputOf(program, args, surroundings).then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (succeeded === undefined) throw new Error(`${program} ${args.join(' ')} succeeded`);
  return succeeded;
}

/** @throws Error unless the text has the pattern */
export function requireMatch(text: string, pattern: RegExp): RegExpExecArray {
  const match = pattern.exec(text);
  if (match === null) throw new Error(`${pattern} is not in:\n${text}`);
  return match;
}
