import { expectArguments, parseArguments, printable } from '@heliograph/kit/terminal';
import { openCloud } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';

export const register: Command = {
  name: 'register',
  summary: 'make a device a site of your account',
  help: `heliograph register UID [--name NAME] [--description TEXT] [--code CODE]

Makes a device a site of your account. One that is yours already stays as it is. UID is the device's identifier,
as its own page shows it.

  --name NAME         the site's name, which becomes its hostname
  --description TEXT  what you say of it
  --code CODE         for a device that was released: its own page "Account" shows one, and its former owner has one by mail`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, {
      name: { type: 'string' },
      description: { type: 'string' },
      code: { type: 'string' },
    });
    expectArguments(positionals, ['uid']);
    const [uid = ''] = positionals;
    const { name, description, code } = values;
    const site = await openCloud().registerSite({
      uid,
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(code === undefined ? {} : { code }),
    });
    terminal.print(`Site ${site.id} is ${site.name === null ? 'not named yet' : printable(site.name)}`);
    return 0;
  },
};
