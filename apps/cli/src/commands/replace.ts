import { expectArguments, parseArguments, printable } from '@heliograph/kit/terminal';
import { findSite, openCloud } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';

export const replace: Command = {
  name: 'replace',
  summary: 'give a site of yours another device, in place of a broken one',
  help: `heliograph replace SITE UID [--code CODE]

Makes a new device the one of a site that you own. The site keeps its name, members and tokens; the former device is revoked
at once. SITE is a site's id or name, UID the identifier of the new device, as its own page shows it.

  --code CODE  an activation code, for a device that needs one; a registration code, for one that was released`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, { code: { type: 'string' } });
    expectArguments(positionals, ['site', 'uid']);
    const [site = '', uid = ''] = positionals;
    const cloud = openCloud();
    const { id } = await findSite(cloud, site);
    const { code } = values;
    const { name } = await cloud.replaceSiteDevice({ id, uid, ...(code === undefined ? {} : { code }) });
    terminal.print(
      `${printable(name ?? String(id))} has the device ${printable(uid)}; the former one is revoked`,
    );
    return 0;
  },
};
