import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The command was typed wrongly. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Parses a command's arguments. A negative number is a value, not an option.
 *
 * @throws UsageError in one line
 */
export function parseArguments<const O extends ParseArgsOptionsConfig>(args: readonly string[], options: O) {
  const negative = /^-\d/;
  const numbers = args.includes('--') ? [] : args.filter((arg) => negative.test(arg));
  const ordered =
    numbers.length === 0 ? [...args] : [...args.filter((arg) => !negative.test(arg)), '--', ...numbers];
  try {
    return parseArgs({ args: ordered, options, allowPositionals: true });
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new UsageError(sentence);
  }
}

/** @throws UsageError unless exactly the named arguments are there */
export function expectArguments(given: readonly string[], names: readonly string[]): void {
  const missing = names[given.length];
  if (missing !== undefined) throw new UsageError(`<${missing}> is missing`);
  const extra = given[names.length];
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many`);
}
