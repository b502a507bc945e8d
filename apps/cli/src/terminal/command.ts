import type { Terminal } from './terminal.ts';

/** One word after `heliograph`. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The output of `--help`; a command without it explains itself. */
  readonly help?: string;

  /**
   * @param args what follows the command's name
   * @returns exit code
   * @throws UsageError when the arguments are wrong, any other error when the command fails
   */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}
