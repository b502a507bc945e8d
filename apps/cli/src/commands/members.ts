import type { SiteMember } from '@heliograph/client';
import { personName } from '@heliograph/kit/person-name';
import { expectArguments, parseArguments, printable, table } from '@heliograph/kit/terminal';
import { findSite, openCloud } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';

const COLUMNS = [
  { title: 'ID', align: 'right' },
  { title: 'ROLE' },
  { title: 'EMAIL' },
  { title: 'NAME' },
] as const;

/** The longest page that the cloud answers. */
const PAGE_SIZE = 200;

export const members: Command = {
  name: 'members',
  summary: 'list who may see a site',
  help: `heliograph members SITE [--json]

Lists who has a role on a site, the owner first. SITE is a site's id or name.

  --json  print JSON instead of a table`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, { json: { type: 'boolean', default: false } });
    expectArguments(positionals, ['site']);
    const [site = ''] = positionals;
    const cloud = openCloud();
    const { id: siteId } = await findSite(cloud, site);
    const rows: SiteMember[] = [];
    for (let page: SiteMember[] | undefined; page === undefined || page.length === PAGE_SIZE; ) {
      page = await cloud.listSiteMembers({ id: siteId, offset: rows.length, limit: PAGE_SIZE });
      rows.push(...page);
    }
    if (values.json) {
      terminal.print(JSON.stringify(rows, null, 2));
      return 0;
    }
    const cells = rows.map((member) => [
      String(member.id),
      member.role,
      printable(member.email),
      printable(personName(member)),
    ]);
    for (const line of table(COLUMNS, cells, { title: (text) => terminal.bold(text) })) terminal.print(line);
    return 0;
  },
};
