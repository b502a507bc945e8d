import type { ScryptCost } from '../backup/backup-key.ts';

/** The world around the program. */
export interface World {
  /** Prints lines to standard output. */
  print(text: string): void;
  /** Prints a line to standard error. */
  warn(line: string): void;
  /** Everything on standard input. */
  readInput(): Promise<string>;
  /** Prompts for something that the terminal does not show. @returns undefined when the input has ended */
  readSecret(question: string): Promise<string | undefined>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of keys of new backups; another one in tests alone. */
  readonly backupKeyCost?: ScryptCost;
}

/** One word after `heliograph device`. */
export interface DeviceCommand {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The output of `--help`. */
  readonly help: string;

  /**
   * @param args what follows the command's name
   * @throws UsageError when the arguments are wrong, any other error when the command fails
   */
  run(args: readonly string[], world: World): Promise<void>;
}

/** The command failed; the message has one reason a line, for the user. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
