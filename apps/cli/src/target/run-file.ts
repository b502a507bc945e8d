import { readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { CommandFailed } from '../terminal/failures.ts';

/** The checkout, or the installed package, that this command belongs to. */
export const CHECKOUT = resolve(import.meta.dirname, '../../../..');

/** @returns the program at a path below it, written without the ending: code is JavaScript in packages */
export function programAt(path: string): string {
  return join(CHECKOUT, `${path}${extname(import.meta.filename)}`);
}

/** Compiled code that Node keeps, as `npm start` does: the next command starts in half the time. */
export const COMPILE_CACHE = join(CHECKOUT, 'node_modules/.cache/node-compile');

/** The parts of the file that `npm start` writes about its system which this command needs. */
export interface RunFile {
  /** `database_url` carries a password; only `heliograph admin` needs it. */
  readonly cloud: { readonly url: string; readonly database_url?: string };
  readonly proxy: { readonly url: string; readonly host: string };
  readonly device: { readonly url: string; readonly password: string };
  readonly account: { readonly api_token: string };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The data folder of `npm start`: HELIOGRAPH_DATA, or `.heliograph` in the checkout. */
export function dataFolder(env: Environment): string {
  const { HELIOGRAPH_DATA: folder } = env;
  return folder === undefined || folder === '' ? join(CHECKOUT, '.heliograph') : resolve(folder);
}

/**
 * @returns null when no system runs there, which has removed it or not written it yet
 * @throws CommandFailed when it is another user's
 */
export function readRunFile(env: Environment): RunFile | null {
  const path = join(dataFolder(env), 'run.json');
  try {
    const run: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRunFile(run) ? run : null;
  } catch (error) {
    const denied = error instanceof Error && 'code' in error && error.code === 'EACCES';
    if (denied) throw new CommandFailed(`${path} may not be read: the system runs as another user`);
    return null;
  }
}

function isRunFile(value: unknown): value is RunFile {
  const run = value as Partial<RunFile> | null;
  return [
    run?.cloud?.url,
    run?.proxy?.url,
    run?.proxy?.host,
    run?.device?.url,
    run?.device?.password,
    run?.account?.api_token,
  ].every((field) => typeof field === 'string');
}
