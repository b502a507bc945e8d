import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program that prints to the terminal. @throws Error when it fails */
export async function runVisibly(
  program: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  const child = spawn(program, args, {
    cwd,
    env: env ?? process.env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} failed with exit code ${code}`);
}
