import { LOCALES, type OrganizationMember, type OwnOrganization } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import { personName } from '@heliograph/kit/person-name';
import { expectArguments, parseArguments, UsageError } from '@heliograph/kit/terminal';
import { consoleCaller } from '../../../access/caller.ts';
import {
  createOrganization,
  updateOrganization,
} from '../../../organizations/organizations/change-organization.ts';
import { getOrganization, listOrganizations } from '../../../organizations/organizations/organizations.ts';
import {
  addOrganizationMember,
  membersOf,
  removeOrganizationMember,
} from '../../../organizations/team/employees.ts';
import { endOrganization } from '../../../privacy/organization-closing/closing.ts';
import {
  idOf,
  oneOf,
  onlyEmail,
  onlyId,
  PAGE_HELP,
  PAGE_OPTIONS,
  pageOf,
  required,
  roleOf,
} from '../arguments.ts';
import { type AdminCommand, CommandFailed } from '../command.ts';
import { type Columns, listing, record } from '../layout.ts';
import type { AdminPlatform } from '../platform.ts';
import { accountOf } from './accounts.ts';

/** @throws CommandFailed when there is no such organization */
export async function requireOrganization(platform: AdminPlatform, id: number | null): Promise<void> {
  if (id === null) return;
  await getOrganization(platform, id).catch((error: unknown) => {
    throw error instanceof NotFound ? new CommandFailed(`There is no organization ${id}`) : error;
  });
}

const SETTINGS = { 'cloud-host': { type: 'string' }, locale: { type: 'string' } } as const;
const SETTINGS_HELP = `  --cloud-host HOST  where its own pages are, with the port where it is not 443; links in its mails lead there
  --locale LOCALE    language of mails to invited people who have no account yet; without it that of the inviter`;

const create: AdminCommand = {
  name: 'organizations create',
  usage: 'NAME [--cloud-host HOST] [--locale LOCALE]',
  summary: 'make an organization',
  help: SETTINGS_HELP,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, SETTINGS);
    expectArguments(positionals, ['name']);
    const [name = ''] = positionals;
    const { 'cloud-host': host, locale } = values;
    const settings = {
      ...(host !== undefined && { cloud_host: host }),
      ...(locale !== undefined && { locale: oneOf('--locale', locale, LOCALES) }),
    };
    const platform = await context.openPlatform();
    return organizationRecord(
      await createOrganization(platform, consoleCaller(), { body: { name, ...settings } }),
    );
  },
};

const change: AdminCommand = {
  name: 'organizations change',
  usage: 'ID [--name NAME] [--cloud-host HOST|none] [--locale LOCALE|none]',
  summary: 'rename an organization, or set where its own pages are and the language of its invitations',
  help: `${SETTINGS_HELP}
                     none: no host, or no language
  --name NAME`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, { ...SETTINGS, name: { type: 'string' } });
    const id = onlyId(positionals);
    const { name, 'cloud-host': host, locale } = values;
    const settings = {
      ...(name !== undefined && { name }),
      ...(host !== undefined && { cloud_host: host === 'none' ? null : host }),
      ...(locale !== undefined && {
        locale: locale === 'none' ? null : oneOf('--locale', locale, LOCALES),
      }),
    };
    if (Object.keys(settings).length === 0) throw new UsageError('There is nothing to change');
    const platform = await context.openPlatform();
    await requireOrganization(platform, id);
    return organizationRecord(
      await updateOrganization(platform, consoleCaller(), { params: { id }, body: settings }),
    );
  },
};

const close: AdminCommand = {
  name: 'organizations close',
  usage: 'ID',
  summary: 'close an organization for good',
  help: `It must have no sites, no open orders and no open tickets. Its tokens, applications, invitations and legal texts
end, its products are archived, and its name and host are free. Its employees and customers keep their accounts.`,
  async run(args, context) {
    const id = onlyId(parseArguments(args, {}).positionals);
    const platform = await context.openPlatform();
    await requireOrganization(platform, id);
    const name = await endOrganization(platform, consoleCaller(), id);
    return record({ id, name }, { closed: name });
  },
};

const list: AdminCommand = {
  name: 'organizations list',
  usage: '[QUERY...]',
  summary: 'list organizations, by name',
  help: PAGE_HELP,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, PAGE_OPTIONS);
    const page = pageOf(values);
    const platform = await context.openPlatform();
    const found = await listOrganizations(platform, consoleCaller(), {
      query: { ...page, q: positionals.join(' ') },
    });
    return listing(found.map(presentOrganization), COLUMNS, 'organizations');
  },
};

const members: AdminCommand = {
  name: 'organizations members',
  usage: 'ID',
  summary: 'list who works for an organization',
  async run(args, context) {
    const id = onlyId(parseArguments(args, {}).positionals);
    const platform = await context.openPlatform();
    await requireOrganization(platform, id);
    return listing(await membersOf(platform, consoleCaller(), id), MEMBER_COLUMNS, 'members');
  },
};

const add: AdminCommand = {
  name: 'organizations add',
  usage: 'EMAIL --organization ID --role ROLE [--first-name NAME --last-name NAME]',
  summary: 'let an account work for an organization, or give it another role there',
  help: `  --organization ID
  --role ROLE        owner, admin or member
  --first-name NAME, --last-name NAME
                     for an account that is not confirmed: it is invited again by mail`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      organization: { type: 'string' },
      role: { type: 'string' },
      'first-name': { type: 'string' },
      'last-name': { type: 'string' },
    });
    const email = onlyEmail(positionals);
    const id = idOf('--organization', required('--organization', values.organization));
    const role = roleOf(required('--role', values.role));
    const platform = await context.openPlatform();
    await requireOrganization(platform, id);
    await accountOf(platform, email);
    const names = {
      ...(values['first-name'] !== undefined && { first_name: values['first-name'] }),
      ...(values['last-name'] !== undefined && { last_name: values['last-name'] }),
    };
    return memberRecord(
      await addOrganizationMember(platform, consoleCaller(), {
        params: { id },
        body: { email, role, ...names },
      }),
    );
  },
};

const remove: AdminCommand = {
  name: 'organizations remove',
  usage: 'EMAIL --organization ID',
  summary: "end an account's work for an organization",
  async run(args, context) {
    const { values, positionals } = parseArguments(args, { organization: { type: 'string' } });
    const email = onlyEmail(positionals);
    const id = idOf('--organization', required('--organization', values.organization));
    const platform = await context.openPlatform();
    await requireOrganization(platform, id);
    const account = await accountOf(platform, email);
    if (!account.employers.some((employer) => employer.id === id)) {
      throw new CommandFailed(`${account.email} does not work for organization ${id}`);
    }
    await removeOrganizationMember(platform, consoleCaller(), {
      params: { id: id, user_id: account.id },
    });
    return record(
      { id: account.id, email: account.email, organization_id: id },
      { email: account.email, 'no longer works for': id },
    );
  },
};

/** An organization without what only concerns a caller of the API. */
function presentOrganization({ role: _role, ...organization }: OwnOrganization) {
  return organization;
}

const COLUMNS: Columns<ReturnType<typeof presentOrganization>> = [
  ['ID', ({ id }) => id, 'right'],
  ['NAME', ({ name }) => name],
  ['CLOUD HOST', (organization) => organization.cloud_host],
  ['VETTED', (organization) => organization.cloud_host !== null && organization.cloud_host_vetted],
];

const MEMBER_COLUMNS: Columns<OrganizationMember> = [
  ['ID', ({ id }) => id, 'right'],
  ['EMAIL', ({ email }) => email],
  ['NAME', personName],
  ['ROLE', ({ role }) => role],
];

function organizationRecord(organization: OwnOrganization) {
  const presented = presentOrganization(organization);
  const { id, name, cloud_host: host, cloud_host_vetted: vetted, locale } = presented;
  return record(presented, {
    id,
    name,
    'cloud host': host,
    vetted: host !== null && vetted,
    language: locale,
  });
}

function memberRecord(member: OrganizationMember) {
  const { id, email, role } = member;
  return record(member, { id, email, role });
}

export const organizationCommands: readonly AdminCommand[] = [
  create,
  list,
  change,
  close,
  members,
  add,
  remove,
];
