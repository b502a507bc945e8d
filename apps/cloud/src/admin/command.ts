import type { Office } from './office.ts';

/** What a command came to, for people and for scripts. */
export interface Result {
  /** What `--json` prints: an array for a list, an object for one thing. */
  readonly value: unknown;
  /** Lines for people. */
  readonly lines: readonly string[];
  /** What people are told besides, on standard error. */
  readonly note?: string | undefined;
}

/** What a command works with. */
export interface Desk {
  /** The database and its services; opened at the first call, so that a command typed wrongly touches nothing. */
  open(): Promise<Office>;
  /** The password on standard input. */
  readPassword(): Promise<string>;
}

/** One noun and verb after `heliograph admin`. */
export interface AdminCommand {
  /** Such as `users create`. */
  readonly name: string;
  /** The arguments it takes. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** More lines for its own `--help`. */
  readonly help?: string;

  /**
   * @param args what follows the name, without `--json`
   * @throws UsageError when the arguments are wrong, any other error when the command fails
   */
  run(args: readonly string[], desk: Desk): Promise<Result>;
}

/** The command cannot do what was asked; the message says why. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
