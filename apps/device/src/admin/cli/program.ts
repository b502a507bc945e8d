import { ConfigError, messageOf } from '@heliograph/kit';
import { parseArguments, printable, UsageError } from '@heliograph/kit/terminal';
import { BadProfile, loadProfile } from '../../drivers/profiles/profile-family.ts';
import { DriverProfile } from '../../drivers/profiles/profile-schema.ts';
import { backupCommand } from './backup-command.ts';
import { CommandFailed, type DeviceCommand, type World } from './command.ts';
import { configCommand } from './config-command.ts';
import { decodeCommand } from './decode-command.ts';
import { exploreCommand } from './explore-command.ts';
import { notifyCommand } from './notify-command.ts';
import { probeCommand } from './probe-command.ts';
import { recordCommand } from './record-command.ts';
import { restoreCommand } from './restore-command.ts';
import { updateCommand } from './update-command.ts';

const profileCommand: DeviceCommand = {
  name: 'profile',
  summary: 'check a profile of hardware',
  help: `heliograph device profile check FILE...
heliograph device profile schema

check reads profiles, each a YAML file that describes one family of Modbus hardware (docs/profiles.md), and prints their
mistakes with line and column, those of names and types first. schema prints the JSON Schema of profiles, by
which editors complete and check them.

The exit code is 1 when a profile holds a mistake.`,

  async run(args, world) {
    const { positionals } = parseArguments(args, {});
    const [word, ...files] = positionals;
    if (word === 'schema' && files.length === 0) {
      world.print(JSON.stringify(DriverProfile, null, 2));
      return;
    }
    if (word !== 'check') throw new UsageError('type "profile check" and files, or "profile schema"');
    if (files.length === 0) throw new UsageError('<file> is missing');
    const mistakes: string[] = [];
    for (const file of files) {
      try {
        const { describedUnits } = await loadProfile(file);
        const rows = describedUnits.flatMap((unit) => unit.rows);
        const settings = rows.filter(({ quantity }) => quantity.setting !== undefined).length;
        world.print(`${file} can be used: ${rows.length - settings} readings, ${settings} settings`);
      } catch (error) {
        mistakes.push(error instanceof BadProfile ? error.message : `${file}: ${reasonOf(error)}`);
      }
    }
    if (mistakes.length > 0) throw new CommandFailed(mistakes.join('\n'));
  },
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && error.code === 'ENOENT' ? 'there is no such file' : error.message;
}

const PROGRAM = 'heliograph device';

const COMMANDS: readonly DeviceCommand[] = [
  probeCommand,
  exploreCommand,
  recordCommand,
  decodeCommand,
  profileCommand,
  configCommand,
  notifyCommand,
  updateCommand,
  backupCommand,
  restoreCommand,
];

const HELP = `${PROGRAM} COMMAND [ARGUMENTS]

${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(7)}  ${summary}`).join('\n')}

"${PROGRAM} COMMAND --help" tells more about one of them.`;

/**
 * Runs what a person does with a device and its hardware by hand.
 *
 * @returns exit code: 0 done, 1 failed, 2 typed wrongly
 */
export async function runDeviceProgram(args: readonly string[], world: World): Promise<number> {
  const [word, ...rest] = args;
  const command = COMMANDS.find(({ name }) => name === word);
  const program = command === undefined ? PROGRAM : `${PROGRAM} ${command.name}`;
  try {
    if (command !== undefined) {
      if (wantsHelp(rest)) world.print(command.help);
      else await command.run(rest, world);
      return 0;
    }
    if (word !== undefined && word !== 'help' && !wantsHelp([word])) {
      throw new UsageError(`There is no ${word.startsWith('-') ? 'option' : 'command'} "${word}"`);
    }
    world.print(HELP);
    return word === undefined ? 2 : 0;
  } catch (error) {
    const usage = error instanceof UsageError;
    for (const reason of reasonsOf(error)) {
      world.warn(`${program}: ${printable(reason)}${usage ? ` (see "${program} --help")` : ''}`);
    }
    return usage ? 2 : 1;
  }
}

function reasonsOf(error: unknown): readonly string[] {
  const several = error instanceof CommandFailed || error instanceof ConfigError;
  return several ? error.message.split('\n') : [messageOf(error)];
}

function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '--help' || arg === '-h');
}
