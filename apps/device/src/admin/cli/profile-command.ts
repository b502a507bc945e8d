import { parseArguments, UsageError } from '@heliograph/kit/terminal';
import { BadProfile, loadProfile } from '../../drivers/profiles/profile-family.ts';
import { DriverProfile } from '../../drivers/profiles/profile-schema.ts';
import { CommandFailed, type DeviceCommand } from './command.ts';

export const profileCommand: DeviceCommand = {
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
