import { expectArguments, parseArguments, printable, Questions } from '@heliograph/kit/terminal';
import { findSite, openCloud } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';
import { CommandFailed } from '../terminal/failures.ts';

export const release: Command = {
  name: 'release',
  summary: 'end a site of yours, whose device can then be registered again',
  help: `heliograph release SITE [--yes]

Ends a site that you own: all roles, shared access and connections end at once, its members are mailed, and its name is
free. The device keeps its history. A code registers it again: you get one by mail, and the page "Account" of the device shows
one on its home network. There is no undo. SITE is a site's id or name; it is to be confirmed by its name, or its id where it
has none.

  --yes  ask nothing`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, { yes: { type: 'boolean', default: false } });
    expectArguments(positionals, ['site']);
    const [site = ''] = positionals;
    const cloud = openCloud();
    const { id, name } = await cloud.getSite(await findSite(cloud, site));
    const label = name ?? String(id);
    if (!values.yes) await confirm(label);
    await cloud.releaseSite({ id });
    terminal.print(`${printable(label)} is released`);
    return 0;
  },
};

/** @throws CommandFailed unless the label is typed */
async function confirm(label: string): Promise<void> {
  using questions = new Questions({ isSecret: false });
  const typed = await questions.answerTo(`Type "${printable(label)}" to release this site: `);
  if (typed?.trim() !== label)
    throw new CommandFailed('Nothing was released: the site was not confirmed by its name, nor with --yes');
}
