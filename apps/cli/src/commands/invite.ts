import type { SiteRole } from '@heliograph/client';
import { expectArguments, parseArguments, printable, UsageError } from '@heliograph/kit/terminal';
import { findSite, openCloud } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';

const ROLES: readonly SiteRole[] = ['member', 'admin', 'owner'];

export const invite: Command = {
  name: 'invite',
  summary: 'give a person access to a site',
  help: `heliograph invite SITE EMAIL [--role ROLE] [--first-name NAME --last-name NAME]

Gives the person with the email address a role on a site, or another role. A person who is new to the site needs both
names, and gets a mail: who accepts is shown with names of their own. SITE is a site's id or name.

  --role ROLE  member reads (the default), admin also changes settings and members; owner hands the site over`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, {
      role: { type: 'string', default: 'member' },
      'first-name': { type: 'string' },
      'last-name': { type: 'string' },
    });
    expectArguments(positionals, ['site', 'email']);
    const [site = '', email = ''] = positionals;
    const role = ROLES.find((known) => known === values.role);
    if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}`);
    const { 'first-name': firstName, 'last-name': lastName } = values;
    const cloud = openCloud();
    const { id } = await findSite(cloud, site);
    const names = { first_name: firstName, last_name: lastName };
    const member = await cloud.inviteSiteMember({ id, email, role, ...names });
    terminal.print(`${printable(member.email)} is ${member.role} of ${printable(site)}`);
    return 0;
  },
};
