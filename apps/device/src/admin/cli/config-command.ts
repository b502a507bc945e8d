import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expectArguments, parseArguments, UsageError } from '@heliograph/kit/terminal';
import { parse } from 'yaml';
import { offerExample } from '../../config/config-text.ts';
import { type ConfigChange, editConfig } from '../../config/edit-config.ts';
import { readConfigFile, readConfigText } from '../../config/read-config-file.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { asOwnerOf } from './as-owner.ts';
import type { DeviceCommand } from './command.ts';
import { chosenConfigFile } from './device-data.ts';

export const configCommand: DeviceCommand = {
  name: 'config',
  summary: 'check a configuration file, or write an example of one',
  help: `heliograph device config [FILE] [--set NAME=VALUE]...

Checks a device's configuration file as a start does, and tells everything that is wrong with it, by line and field.
Where there is none, writes one with every setting in it, commented out.

  FILE              a new one ends in .yaml (default: DEVICE_CONFIG, or device.yaml in the folder DEVICE_DATA)
  --set NAME=VALUE  set this, such as cloud_url=https://cloud.example.org or mqtt.url=mqtt://192.168.1.5; may be repeated.
                    Comments stay. A file that could not be used is not written`,

  async run(args, world) {
    const { values, positionals } = parseArguments(args, {
      set: { type: 'string', multiple: true, default: [] },
    });
    const changes = values.set.map(changeOf);
    expectArguments(positionals, positionals.length === 0 ? [] : ['file']);
    const [named] = positionals;
    const file = chosenConfigFile(named, world);
    if (named !== undefined && !existsSync(named) && !/\.ya?ml$/i.test(named)) {
      throw new UsageError(`There is no file "${named}", and a new one must end in .yaml`);
    }
    if (changes.length === 0 && readConfigText(file) === undefined) {
      await asOwnerOf(dirname(file), () => offerExample(file));
      world.print(`${file} was not there: an example is now`);
      return;
    }
    const families = await loadFamilies({ configFile: file });
    const { connections } =
      changes.length === 0
        ? readConfigFile(file, families)
        : await asOwnerOf(dirname(file), () => editConfig(file, changes, families));
    world.print(
      `${file} can be used; ${connections.length} connection${connections.length === 1 ? '' : 's'}`,
    );
  },
};

/** @param text such as `history.max_size_mb=200`; the value is one of YAML */
function changeOf(text: string): ConfigChange {
  const [, name = '', value = ''] = /^([a-z_]+(?:\.[a-z_]+)*)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw new UsageError(`--set ${text}: must be a name and a value, such as mdns=false`);
  return { path: name.split('.'), value: parse(value) ?? undefined };
}
