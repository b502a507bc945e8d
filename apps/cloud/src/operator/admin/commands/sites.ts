import type { Site, SiteMember, SiteSummary } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import { personName } from '@heliograph/kit/person-name';
import { expectArguments, parseArguments } from '@heliograph/kit/terminal';
import { consoleCaller } from '../../../access/caller.ts';
import { requireSite } from '../../../access/site-access.ts';
import { inviteSiteMember } from '../../../sites/members/members.ts';
import { getSite } from '../../../sites/sites/get-site.ts';
import { listSites } from '../../../sites/sites/list-sites.ts';
import { releaseSite } from '../../../sites/sites/release.ts';
import { emailOf, idOf, onlyId, PAGE_HELP, searchOf } from '../arguments.ts';
import { type AdminCommand, CommandFailed, type CommandResult } from '../command.ts';
import { type Columns, listing, minuteOf, personCell, record } from '../layout.ts';
import type { AdminPlatform } from '../platform.ts';
import { accountOf } from './accounts.ts';
import { requireOrganization } from './organizations.ts';

const list: AdminCommand = {
  name: 'sites list',
  usage: '[QUERY...] [--organization ID]',
  summary: 'list sites, the newest first',
  help: `QUERY is words, and filters such as state:offline, alert:critical or uid:UID, as in the list of sites in the portal.

  --organization ID  only those of an organization
${PAGE_HELP}`,
  async run(args, context) {
    const { organizationId, query } = searchOf(args);
    const platform = await context.openPlatform();
    await requireOrganization(platform, organizationId);
    return listing(await listSites(platform, consoleCaller(), { query }), COLUMNS, 'sites');
  },
};

const show: AdminCommand = {
  name: 'sites show',
  usage: 'ID',
  summary: 'show a site and who has a role on it',
  async run(args, context) {
    const id = onlyId(parseArguments(args, {}).positionals);
    return shown(await siteOf(await context.openPlatform(), id));
  },
};

const transfer: AdminCommand = {
  name: 'sites transfer',
  usage: 'ID EMAIL',
  summary: 'hand a site over to another account, which becomes its owner',
  help: 'The handover is final. The former owner stays an admin of the site. Both are mailed.',
  async run(args, context) {
    const { positionals } = parseArguments(args, {});
    expectArguments(positionals, ['id', 'email']);
    const [id, email] = [idOf('<id>', positionals[0] ?? ''), emailOf(positionals[1])];
    const platform = await context.openPlatform();
    const { id: ownerId } = await accountOf(platform, email);
    const caller = consoleCaller();
    const { owner } = await siteOf(platform, id);
    const isOwner = owner.id === ownerId;
    if (!isOwner) {
      const site = await requireSite(platform.db, caller, id, 'manage');
      await inviteSiteMember(platform, caller, { site, body: { email, role: 'owner' } });
    }
    const note = isOwner ? 'It was theirs already' : undefined;
    return { ...shown(await siteOf(platform, id)), note };
  },
};

const release: AdminCommand = {
  name: 'sites release',
  usage: 'ID',
  summary: 'end a site; a code registers its device again',
  help: `Roles, shares, connections and backups of the site end immediately. The device keeps its history, and the name is free.
Everyone who had a role on the site is mailed, and the owner gets a code that registers the device.`,
  async run(args, context) {
    const id = onlyId(parseArguments(args, {}).positionals);
    const platform = await context.openPlatform();
    const caller = consoleCaller();
    const { name } = await siteOf(platform, id);
    const site = await orUnknownSite(id, requireSite(platform.db, caller, id, 'own'));
    await orUnknownSite(id, releaseSite(platform, caller, { site }));
    return record({ id, name, released: true }, { id, name, released: true });
  },
};

function shown(site: Site): CommandResult {
  const { lines } = record(site, {
    id: site.id,
    name: site.name,
    state: site.state,
    seen: minuteOf(site.last_seen_at),
    owner: personCell(site.owner),
    organization: site.organization === null ? null : `${site.organization.name} (${site.organization.id})`,
    version: site.version,
    inverter: site.inverter,
    battery: site.battery,
    alerts: site.open_alerts.count,
  });
  return { value: site, lines: [...lines, '', ...listing(site.users, MEMBER_COLUMNS, 'members').lines] };
}

const COLUMNS: Columns<SiteSummary> = [
  ['ID', ({ id }) => id, 'right'],
  ['NAME', ({ name }) => name],
  ['STATE', ({ state }) => state],
  ['SEEN', (site) => minuteOf(site.last_seen_at)],
  ['OWNER', ({ owner }) => personCell(owner)],
  ['VERSION', ({ version }) => version],
];

const MEMBER_COLUMNS: Columns<SiteMember> = [
  ['USER', ({ id }) => id, 'right'],
  ['EMAIL', ({ email }) => email],
  ['NAME', personName],
  ['ROLE', ({ role }) => role],
];

/** @throws CommandFailed when there is no such site */
function siteOf(platform: AdminPlatform, id: number): Promise<Site> {
  const caller = consoleCaller();
  const read = requireSite(platform.db, caller, id, 'read').then((site) =>
    getSite(platform, caller, { site }),
  );
  return orUnknownSite(id, read);
}

/** @throws CommandFailed when there is no such site */
async function orUnknownSite<T>(id: number, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw error instanceof NotFound ? new CommandFailed(`There is no site ${id}`) : error;
  });
}

export const siteCommands: readonly AdminCommand[] = [list, show, transfer, release];
