import { Env, messageOf } from '@heliograph/kit';
import { expectArguments, parseArguments } from '@heliograph/kit/terminal';
import { readTexts } from '@heliograph/locales/read';
import { configFileOf } from '../config/config.ts';
import { readConfigFile } from '../config/read-config-file.ts';
import { loadFamilies } from '../families/families.ts';
import { channelOf } from '../notifications/channel.ts';
import { CommandFailed, type DeviceCommand } from './command.ts';

/** How long one receiver may take, in milliseconds. */
const TIMEOUT_MS = 60_000;

export const notifyCommand: DeviceCommand = {
  name: 'notify',
  summary: 'send a test message to each receiver of alerts',
  help: `heliograph device notify [FILE]

Sends a test message to each receiver in "notifications" of a device's configuration file, and prints what became of it.
The device itself need not run.

  FILE           (default: DEVICE_CONFIG, or device.yaml in the folder DEVICE_DATA)`,

  async run(args, world) {
    const { positionals } = parseArguments(args, {});
    const env = new Env(world.env);
    const [file = configFileOf(env, env.string('DEVICE_DATA', '.'))] = positionals;
    expectArguments(positionals, positionals.length === 0 ? [] : ['file']);
    const { notifications } = readConfigFile(file, await loadFamilies({ configFile: file }));
    if (notifications.length === 0) throw new CommandFailed(`${file} has no receivers in "notifications"`);
    const failures: string[] = [];
    for (const [index, receiver] of notifications.entries()) {
      const name = `notifications[${index}]`;
      const channel = await channelOf(receiver);
      const { test } = readTexts(receiver.language).messages;
      const message = {
        alertId: 0,
        // Mail servers drop a mail with the id of one that they have.
        revision: Date.now(),
        is: 'raised',
        severity: receiver.severity,
        text: test,
      } as const;
      try {
        await channel.send('Heliograph', message, AbortSignal.timeout(TIMEOUT_MS));
        world.print(`${name}: ${channel.host} took the message`);
      } catch (error) {
        failures.push(`${name}: ${messageOf(error)}`);
      }
    }
    if (failures.length > 0) throw new CommandFailed(failures.join('\n'));
  },
};
