import { expectArguments, parseArguments } from '@heliograph/kit/terminal';
import { Receivers } from '../../alerts/notifications/receivers.ts';
import { readConfigFile, readConfigText } from '../../config/read-config-file.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { CommandFailed, type DeviceCommand } from './command.ts';
import { chosenConfigFile, FILE_HELP } from './device-data.ts';

export const notifyCommand: DeviceCommand = {
  name: 'notify',
  summary: 'send a test message to each receiver of alerts',
  help: `heliograph device notify [FILE]

Sends a test message to each receiver in "notifications" of a device's configuration file, and prints what became of it.
The device itself need not run.

${FILE_HELP}`,

  async run(args, world) {
    const { positionals } = parseArguments(args, {});
    expectArguments(positionals, positionals.length === 0 ? [] : ['file']);
    const file = chosenConfigFile(positionals[0], world);
    if (readConfigText(file) === undefined) throw new CommandFailed(`There is no file ${file}`);
    const { notifications } = readConfigFile(file, await loadFamilies({ configFile: file }));
    if (notifications.length === 0) throw new CommandFailed(`${file} has no receivers in "notifications"`);
    const failures: string[] = [];
    for (const { index, host, error } of await new Receivers(notifications, () => 'Heliograph').test()) {
      const name = `notifications[${index}]`;
      if (error === null) world.print(`${name}: ${host} took the message`);
      else failures.push(`${name}: ${error}`);
    }
    if (failures.length > 0) throw new CommandFailed(failures.join('\n'));
  },
};
