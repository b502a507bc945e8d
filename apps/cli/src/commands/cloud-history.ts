import { expectArguments, parseArguments, UsageError } from '@heliograph/kit/terminal';
import { findSite, openCloud } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';

export const cloudHistory: Command = {
  name: 'cloud-history',
  summary: 'show or choose whether the cloud keeps the history of a site',
  help: `heliograph cloud-history SITE [--keep on|off] [--json]

Shows whether the cloud keeps the history of a site: means of 15 minutes, the energy of hours and the newest values, which are
then there while the site is offline. Its owner alone chooses. SITE is a site's id or name.

  --keep on|off  off deletes what the cloud has of the history
  --json         print JSON`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, {
      keep: { type: 'string' },
      json: { type: 'boolean', default: false },
    });
    expectArguments(positionals, ['site']);
    const { keep } = values;
    if (keep !== undefined && keep !== 'on' && keep !== 'off') throw new UsageError('--keep is on or off');
    const cloud = openCloud();
    const { id } = await findSite(cloud, positionals[0] ?? '');
    const consent =
      keep === undefined
        ? await cloud.getSiteHistoryConsent({ id })
        : await cloud.setSiteHistoryConsent({ id, agreed: keep === 'on' });
    if (values.json) {
      terminal.print(JSON.stringify(consent, null, 2));
      return 0;
    }
    terminal.print(`kept     ${consent.agreed ? 'yes' : 'no'}`);
    terminal.print(`decided  ${consent.decided_at ?? 'not yet'}`);
    return 0;
  },
};
