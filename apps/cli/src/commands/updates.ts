import type { SiteUpdates } from '@heliograph/client';
import { expectArguments, parseArguments, printable, UsageError } from '@heliograph/kit/terminal';
import { findSite, openCloud } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';

export const updates: Command = {
  name: 'updates',
  summary: "show or choose which releases a site's device takes",
  help: `heliograph updates SITE [--channel CHANNEL] [--automatic on|off] [--json]

Shows which release the device of a site has, and which releases it takes. With options, changes that. SITE is a site's id or
name. The device learns it within a day; its own configuration file comes first. "heliograph device update", on the device itself,
updates at once.

  --channel CHANNEL   stable or beta
  --automatic on|off  whether the device updates without a request, where it was installed from a release archive
  --json              print JSON`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, {
      channel: { type: 'string' },
      automatic: { type: 'string' },
      json: { type: 'boolean', default: false },
    });
    expectArguments(positionals, ['site']);
    const [name = ''] = positionals;
    const chosen = { ...channelOf(values.channel), ...automaticOf(values.automatic) };
    const cloud = openCloud();
    const { id } = await findSite(cloud, name);
    const site = await cloud.getSite({ id });
    const isChange = Object.keys(chosen).length > 0;
    const found = isChange ? await cloud.setSiteUpdates({ id, ...site.updates, ...chosen }) : site.updates;
    if (values.json) {
      terminal.print(JSON.stringify({ version: site.version, ...found }, null, 2));
      return 0;
    }
    terminal.print(`release    ${site.version === null ? 'unknown' : printable(site.version)}`);
    terminal.print(`channel    ${found.channel}`);
    terminal.print(`automatic  ${found.automatic ? 'on' : 'off'}`);
    return 0;
  },
};

function channelOf(text: string | undefined): Partial<SiteUpdates> {
  if (text === undefined) return {};
  if (text !== 'stable' && text !== 'beta')
    throw new UsageError(`There is no channel "${text}": stable, beta`);
  return { channel: text };
}

function automaticOf(text: string | undefined): Partial<SiteUpdates> {
  if (text === undefined) return {};
  if (text !== 'on' && text !== 'off') throw new UsageError('--automatic is on or off');
  return { automatic: text === 'on' };
}
