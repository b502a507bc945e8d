import type { AuditEntry } from '@heliograph/contracts';
import { expectArguments, parseArguments } from '@heliograph/kit/terminal';
import { consoleCaller } from '../../../access/caller.ts';
import { listAudit } from '../../../privacy/audit/list-audit.ts';
import { optionalId, PAGE_HELP, PAGE_OPTIONS, pageOf } from '../arguments.ts';
import type { AdminCommand } from '../command.ts';
import { type Columns, listing, minuteOf } from '../layout.ts';
import { accountOf } from './accounts.ts';

const audit: AdminCommand = {
  name: 'audit',
  usage: '[--site ID] [--organization ID] [--user EMAIL] [--device UID] [--action ACTION]',
  summary: 'list what was done, by whom and from where, the newest first',
  help: `  --site ID          what happened to a site
  --organization ID  in an organization
  --user EMAIL       to an account
  --device UID       to a device
  --action ACTION    such as token.created
${PAGE_HELP}`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      ...PAGE_OPTIONS,
      site: { type: 'string' },
      organization: { type: 'string' },
      user: { type: 'string' },
      device: { type: 'string' },
      action: { type: 'string' },
    });
    expectArguments(positionals, []);
    const site = optionalId('--site', values.site);
    const organization = optionalId('--organization', values.organization);
    const page = pageOf(values);
    const platform = await context.openPlatform();
    const entries = await listAudit(platform, consoleCaller(), {
      query: {
        ...page,
        ...(site !== null && { site_id: site }),
        ...(organization !== null && { organization_id: organization }),
        ...(values.user !== undefined && { user_id: (await accountOf(platform, values.user)).id }),
        ...(values.device !== undefined && { device_uid: values.device }),
        ...(values.action !== undefined && { action: values.action }),
      },
    });
    return listing(entries, COLUMNS, 'records');
  },
};

const COLUMNS: Columns<AuditEntry> = [
  ['AT', ({ at }) => minuteOf(at)],
  ['ACTION', ({ action }) => action],
  ['BY', ({ actor, via }) => actor?.email ?? via],
  ['FROM', ({ address }) => address],
  ['ORGANIZATION', (entry) => entry.organization_id, 'right'],
  ['SITE', (entry) => entry.site_id, 'right'],
  ['USER', (entry) => entry.user_id, 'right'],
  ['DEVICE', (entry) => entry.device_uid],
  ['DETAILS', ({ details }) => (Object.keys(details).length === 0 ? null : JSON.stringify(details))],
];

export const auditCommands: readonly AdminCommand[] = [audit];
