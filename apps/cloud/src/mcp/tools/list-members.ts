import { SITE_ROLES, type SiteMember } from '@heliograph/contracts';
import { truncate } from '@heliograph/kit';
import { personName } from '@heliograph/kit/person-name';
import type { Tool } from '@heliograph/mcp';
import { type Static, Type } from 'typebox';
import type { Caller } from '../../access/caller.ts';
import { requireSite } from '../../access/site-access.ts';
import { readsSites } from '../../access/site-permissions.ts';
import type { Platform } from '../../platform.ts';
import { presentMember as presentSiteMember } from '../../sites/members/present.ts';
import { listMembers as selectMembers } from '../../sites/members/rows.ts';
import { orSiteNotFound } from '../site-not-found.ts';
import { SiteId } from './site-id.ts';

/** Members that one answer lists; a home has a handful. */
const MAX_MEMBERS = 200;

const Input = Type.Object({ site_id: SiteId }, { additionalProperties: false });

const Member = Type.Object({
  user_id: Type.Integer(),
  name: Type.String({ description: 'The email address where no name is known' }),
  email: Type.String(),
  role: Type.Enum([...SITE_ROLES], {
    description:
      'owner: may do everything. admin: may change settings and manage members. member: sees and changes nothing',
  }),
});

const Output = Type.Object({
  members: Type.Array(Member, { maxItems: MAX_MEMBERS, description: 'The owner first, then by role' }),
  total: Type.Integer({ description: `How many there are; the first ${MAX_MEMBERS} are listed` }),
});

export function listMembers({ db }: Platform): Tool<Caller, typeof Input, typeof Output> {
  return {
    name: 'list_members',
    title: 'Members of a site',
    description:
      'The people who have a role on a site, its owner included: name, email address, role. Use it for questions like ' +
      '"who may change settings there?". Employees of the company that looks after the site are not listed unless they ' +
      'have a role of their own. It adds and removes no member.',
    input: Input,
    output: Output,
    isFor: readsSites,
    async run({ site_id: siteId }, caller) {
      await orSiteNotFound(siteId, requireSite(db, caller, siteId, 'read'));
      const found = (await selectMembers(db, siteId)).map(presentSiteMember);
      return { members: found.slice(0, MAX_MEMBERS).map(presentMember), total: found.length };
    },
  };
}

function presentMember(member: SiteMember): Static<typeof Member> {
  return {
    user_id: member.id,
    name: truncate(personName(member)),
    email: truncate(member.email),
    role: member.role,
  };
}
