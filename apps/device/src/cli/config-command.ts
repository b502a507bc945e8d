import { existsSync } from 'node:fs';
import { expectArguments, parseArguments, UsageError } from '@heliograph/kit/terminal';
import { offerExample } from '../config/config-text.ts';
import { readConfigFile, readConfigText } from '../config/read-config-file.ts';
import { loadFamilies } from '../families/families.ts';
import type { DeviceCommand } from './command.ts';
import { chosenConfigFile } from './device-data.ts';

export const configCommand: DeviceCommand = {
  name: 'config',
  summary: 'check a configuration file, or write an example of one',
  help: `heliograph device config [FILE]

Checks a device's configuration file as a start does, and tells everything that is wrong with it, by line and field.
Where there is none, writes one with every setting in it, commented out.

  FILE           a new one ends in .yaml (default: DEVICE_CONFIG, or device.yaml in the folder DEVICE_DATA)`,

  async run(args, world) {
    const { positionals } = parseArguments(args, {});
    expectArguments(positionals, positionals.length === 0 ? [] : ['file']);
    const [named] = positionals;
    const file = chosenConfigFile(named, world);
    if (named !== undefined && !existsSync(named) && !/\.ya?ml$/i.test(named)) {
      throw new UsageError(`There is no file "${named}", and a new one must end in .yaml`);
    }
    if (readConfigText(file) === undefined) {
      await offerExample(file);
      world.print(`${file} was not there: an example is now`);
      return;
    }
    const { connections } = readConfigFile(file, await loadFamilies({ configFile: file }));
    world.print(
      `${file} can be used; ${connections.length} connection${connections.length === 1 ? '' : 's'}`,
    );
  },
};
