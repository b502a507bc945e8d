import type { ValidationError } from '@heliograph/kit';
import type { AdminPlatform } from './platform.ts';

export interface CommandResult {
  /** The output of `--json`: an array for a list, an object for one record. */
  readonly value: unknown;
  /** Lines for people. */
  readonly lines: readonly string[];
  /** A line for people on standard error. */
  readonly note?: string | undefined;
}

export interface CommandContext {
  /** Opens the database at the first call, so that a mistyped command touches nothing. */
  openPlatform(): Promise<AdminPlatform>;
  /** Reads the password from standard input. */
  readPassword(): Promise<string>;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
}

/** One noun and verb after `heliograph admin`. */
export interface AdminCommand {
  /** Such as `users create`. */
  readonly name: string;
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** More lines for its own `--help`. */
  readonly help?: string;

  /**
   * @param args what follows the name, without `--json`
   * @throws UsageError when the arguments are wrong, any other error when the command fails
   */
  run(args: readonly string[], context: CommandContext): Promise<CommandResult>;
}

/** A command failed; the message gives the reason. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** Messages for a field complete its name: "email has already been taken". */
export function complaintsOf({ errors }: ValidationError): string {
  return Object.entries(errors)
    .flatMap(([field, messages]) => messages.map((message) => `${field.replaceAll('_', ' ')} ${message}`))
    .join('; ');
}
