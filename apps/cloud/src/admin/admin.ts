import { isPlainText, UNSEEN_CHARACTERS } from '@heliograph/contracts';
import { printableJson, UsageError } from '@heliograph/kit/terminal';
import type { AdminCommand } from './command.ts';
import { auditCommands } from './commands/audit.ts';
import { codeCommands } from './commands/codes.ts';
import { deviceCommands } from './commands/devices.ts';
import { keyCommands } from './commands/keys.ts';
import { organizationCommands } from './commands/organizations.ts';
import { proxyCommands } from './commands/proxies.ts';
import { tokenCommands } from './commands/tokens.ts';
import { userCommands } from './commands/users.ts';
import { failureLine } from './failures.ts';
import type { Office } from './office.ts';

const COMMANDS: readonly AdminCommand[] = [
  ...userCommands,
  ...organizationCommands,
  ...deviceCommands,
  ...proxyCommands,
  ...codeCommands,
  ...tokenCommands,
  ...keyCommands,
  ...auditCommands,
];

const PROGRAM = 'heliograph admin';

const HELP_END = `"${PROGRAM} NOUN VERB --help" tells more about one of them. With --json a command prints JSON.

It works on the database of DATABASE_URL; without that, on the one of the system that "heliograph start" or
"npm start" runs on this machine. CLOUD_URL is where the cloud can be reached. Everything is recorded: see
"${PROGRAM} audit".`;

/** The world around the command line. */
export interface AdminWorld {
  /** Prints a line to standard output. */
  print(line: string): void;
  /** Prints a line to standard error. */
  warn(line: string): void;
  openOffice(tell: (line: string) => void): Promise<Office>;
  readPassword(): Promise<string>;
}

/**
 * Runs the operator's command line.
 *
 * @returns exit code: 0 done, 1 failed, 2 typed wrongly
 */
export async function runAdmin(args: readonly string[], world: AdminWorld): Promise<number> {
  const [noun = '', verb = '', ...rest] = [inPlural(args[0]), ...args.slice(1)];
  const about = COMMANDS.filter(({ name }) => name.split(' ')[0] === noun);
  const command = about.find(({ name }) => name === noun || name === `${noun} ${verb}`);
  const given = command?.name === noun ? [verb, ...rest].filter((arg) => arg !== '') : rest;
  try {
    if (command === undefined) return explain(args, about, noun, verb, world);
    if (asksForHelp(given)) world.print(helpOf(command));
    else {
      requirePlainText(given);
      await run(command, given, world);
    }
    return 0;
  } catch (error) {
    const usage = error instanceof UsageError;
    const known = command?.name ?? (about.length > 0 ? noun : undefined);
    const hint = usage ? ` (see "${known === undefined ? PROGRAM : `${PROGRAM} ${known}`} --help")` : '';
    world.warn(`${PROGRAM}: ${failureLine(error)}${hint}`);
    return usage ? 2 : 1;
  }
}

/** What is typed becomes names that people are shown. @throws UsageError */
function requirePlainText(args: readonly string[]): void {
  if (!args.every(isPlainText)) throw new UsageError(`Arguments ${UNSEEN_CHARACTERS}`);
}

async function run(command: AdminCommand, args: readonly string[], world: AdminWorld): Promise<void> {
  const json = args.includes('--json');
  let office: Promise<Office> | undefined;
  const desk = {
    open: () => (office ??= world.openOffice(world.warn)),
    readPassword: world.readPassword,
  };
  try {
    const { value, lines, note } = await command.run(
      args.filter((arg) => arg !== '--json'),
      desk,
    );
    if (json) world.print(printableJson(value));
    else for (const line of lines) world.print(line);
    if (!json && note !== undefined) world.warn(note);
  } finally {
    await (await office?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
}

/** @returns exit code @throws UsageError for what is no command */
function explain(
  args: readonly string[],
  about: readonly AdminCommand[],
  noun: string,
  verb: string,
  world: AdminWorld,
): number {
  const asked = asksForHelp(args) || noun === 'help';
  const bare = noun === '' || (about.length > 0 && verb === '');
  if (!asked && !bare) {
    const what = noun.startsWith('-') ? 'option' : 'command';
    throw new UsageError(`There is no ${what} "${about.length > 0 ? `${noun} ${verb}` : noun}"`);
  }
  world.print(overview(about.length > 0 ? about : COMMANDS));
  return asked ? 0 : 2;
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

/** "user" is understood as well as "users". */
function inPlural(noun = ''): string {
  return COMMANDS.some(({ name }) => name.startsWith(`${noun}s `)) ? `${noun}s` : noun;
}

function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}
