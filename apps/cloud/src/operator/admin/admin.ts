import { isPlainText, UNSEEN_CHARACTERS } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import { printable, printableJson, UsageError } from '@heliograph/kit/terminal';
import { DatabaseError } from 'pg';
import { isOutage } from '../../db/failures.ts';
import { type AdminCommand, complaintsOf } from './command.ts';
import { auditCommands } from './commands/audit.ts';
import { checkCommands } from './commands/check.ts';
import { codeCommands } from './commands/codes.ts';
import { deviceCommands } from './commands/devices.ts';
import { keyCommands } from './commands/keys.ts';
import { orderCommands } from './commands/orders.ts';
import { organizationCommands } from './commands/organizations.ts';
import { productCommands } from './commands/products.ts';
import { proxyCommands } from './commands/proxies.ts';
import { siteCommands } from './commands/sites.ts';
import { tokenCommands } from './commands/tokens.ts';
import { userCommands } from './commands/users.ts';
import type { AdminPlatform } from './platform.ts';

const COMMANDS: readonly AdminCommand[] = [
  ...userCommands,
  ...organizationCommands,
  ...deviceCommands,
  ...siteCommands,
  ...productCommands,
  ...orderCommands,
  ...proxyCommands,
  ...codeCommands,
  ...tokenCommands,
  ...keyCommands,
  ...auditCommands,
  ...checkCommands,
];

const PROGRAM = 'heliograph admin';

const HELP_END = `"${PROGRAM} NOUN VERB --help" describes one of them. With --json a command prints JSON.

It works on the database of DATABASE_URL; without that, on the one of the installed cloud
(/etc/heliograph-cloud/cloud.env), or of the system that "heliograph start" or "npm start" runs on this machine. CLOUD_URL is where the cloud can be reached. Everything is recorded: see
"${PROGRAM} audit".`;

/** The process around the command line. */
export interface AdminProcess {
  /** Prints a line to standard output. */
  print(line: string): void;
  /** Prints a line to standard error. */
  warn(line: string): void;
  openPlatform(print: (line: string) => void): Promise<AdminPlatform>;
  readPassword(): Promise<string>;
  readInput(): Promise<string>;
}

/**
 * Runs the operator's command line.
 *
 * @returns exit code: 0 done, 1 failed, 2 mistyped
 */
export async function runAdmin(args: readonly string[], host: AdminProcess): Promise<number> {
  const [noun = '', verb = '', ...rest] = [inPlural(args[0]), ...args.slice(1)];
  const about = COMMANDS.filter(({ name }) => name.split(' ')[0] === noun);
  const command = about.find(({ name }) => name === noun || name === `${noun} ${verb}`);
  const given = command?.name === noun ? [verb, ...rest].filter((arg) => arg !== '') : rest;
  try {
    if (command === undefined) return explain(args, about, noun, verb, host);
    if (requestsHelp(given)) host.print(helpOf(command));
    else {
      requirePlainText(given);
      await run(command, given, host);
    }
    return 0;
  } catch (error) {
    const usage = error instanceof UsageError;
    const known = command?.name ?? (about.length > 0 ? noun : undefined);
    const hint = usage ? ` (see "${known === undefined ? PROGRAM : `${PROGRAM} ${known}`} --help")` : '';
    host.warn(`${PROGRAM}: ${failureLine(error)}${hint}`);
    return usage ? 2 : 1;
  }
}

/** Arguments become names that people see. @throws UsageError */
function requirePlainText(args: readonly string[]): void {
  if (!args.every(isPlainText)) throw new UsageError(`Arguments ${UNSEEN_CHARACTERS}`);
}

async function run(command: AdminCommand, args: readonly string[], host: AdminProcess): Promise<void> {
  const json = args.includes('--json');
  let platform: Promise<AdminPlatform> | undefined;
  const context = {
    openPlatform: () => (platform ??= host.openPlatform(host.warn)),
    readPassword: host.readPassword,
    readInput: host.readInput,
  };
  try {
    const { value, lines, note } = await command.run(
      args.filter((arg) => arg !== '--json'),
      context,
    );
    if (json) host.print(printableJson(value));
    else for (const line of lines) host.print(line);
    if (!json && note !== undefined) host.warn(note);
  } finally {
    await (await platform?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
}

/** @returns exit code @throws UsageError for an unknown command */
function explain(
  args: readonly string[],
  about: readonly AdminCommand[],
  noun: string,
  verb: string,
  host: AdminProcess,
): number {
  const isHelp = requestsHelp(args) || noun === 'help';
  const isBare = noun === '' || (about.length > 0 && verb === '');
  if (!isHelp && !isBare) {
    const what = noun.startsWith('-') ? 'option' : 'command';
    throw new UsageError(`There is no ${what} "${about.length > 0 ? `${noun} ${verb}` : noun}"`);
  }
  host.print(overview(about.length > 0 ? about : COMMANDS));
  return isHelp ? 0 : 2;
}

function overview(commands: readonly AdminCommand[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `${PROGRAM} NOUN VERB [ARGUMENTS] [--json]\n\n${lines.join('\n')}\n\n${HELP_END}`;
}

function helpOf({ name, usage, summary, help }: AdminCommand): string {
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  const options = [help, '  --json  print JSON'].filter((text) => text !== undefined).join('\n');
  return `${PROGRAM} ${[name, usage].filter((text) => text !== '').join(' ')}\n\n${sentence}\n\n${options}`;
}

/** Accepts "user" for "users". */
function inPlural(noun = ''): string {
  return COMMANDS.some(({ name }) => name.startsWith(`${noun}s `)) ? `${noun}s` : noun;
}

function requestsHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/** SQLSTATE classes of a refused login and of a database that there is not, also https://www.postgresql.org/docs/current/errcodes-appendix.html */
const NOT_LET_IN = /^(28|3D)/;

/** Anything thrown, as one line. */
function failureLine(error: unknown): string {
  if (error instanceof ValidationError) return printable(complaintsOf(error));
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  const refused = cause instanceof DatabaseError && NOT_LET_IN.test(cause.code ?? '');
  return printable(refused || isOutage(error) ? `The database cannot be reached: ${text}` : text);
}
