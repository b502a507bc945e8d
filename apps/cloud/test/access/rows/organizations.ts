import type { TestCloud } from '../../test-cloud.ts';
import type { AccessFixture, Target } from '../fixture.ts';
import { emptyRequest, homeOrganization, uniqueName } from '../requests.ts';
import { type AccessRequest, accessRows } from '../row.ts';

async function employeeOfHome(fixture: AccessFixture): Promise<number> {
  return (await fixture.cloud.make.employee(fixture.home)).id;
}

/** The owner is invited to the team of the organization abroad. */
async function invitedOwner(
  _target: Target,
  { cloud, abroad, owner }: AccessFixture,
): Promise<AccessRequest> {
  await cloud.make.teamInvitation(abroad, owner.id);
  return { params: { organization_id: abroad } };
}

/** A new organization that an account owns. */
async function ownedBy({ make, db }: TestCloud, userId: number): Promise<number> {
  const id = await make.organization();
  await db
    .insertInto('organization_members')
    .values({ organization_id: id, user_id: userId, role: 'owner' })
    .execute();
  return id;
}

async function writeDocument({ db }: TestCloud, organizationId: number): Promise<void> {
  await db
    .insertInto('organization_documents')
    .values({ organization_id: organizationId, name: 'privacy', text: 'We keep it.' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const ORGANIZATION_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
updateOrganization          write       403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
listOrganizationMembers     users       403      403      403      403      403      403      403      403      403      200      200      200      200      200      403      403      403      401
addOrganizationMember       write       403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
addOrganizationOwner        write       403      403      403      403      403      403      403      403      403      403      403      200      403      200      403      403      403      401
removeOrganizationMember    write       403      403      403      403      403      403      403      403      403      403      204      204      204      204      403      403      403      401
createOrganization          write       403      403      403      403      403      403      403      403      403      403      403      403      403      201      403      403      403      401
addOrganizationSite         single      403      403      403      403      403      403      403      403      403      403      403      403      403      403      403      200      404      401
removeOrganizationSite      write       403      403      403      403      403      403      403      403      403      403      403      403      403      204      204      403      403      401
listOrganizations           any         200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      401
removeOrganizationLogo      write       403      403      403      403      403      403      403      403      403      403      204      204      204      204      403      403      403      401
setOrganizationDocument     write       403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
updateOrganizationMember    write       403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
setOrganizationLogo         write       403      403      403      403      403      403      403      403      403      403      204      204      204      204      403      403      403      401
getOrganizationDocument     read        403      403      403      403      403      403      403      403      403      200      200      200      200      200      403      403      403      401
removeOrganizationDocument  write       403      403      403      403      403      403      403      403      403      403      204      204      204      204      403      403      403      401
listTeamInvitations         any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
acceptTeamInvitation        any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
getOrganizationClosing      read        403      403      403      403      403      403      403      403      403      403      403      200      403      200      403      403      403      401
closeOrganization           any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
declineTeamInvitation       any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
`,
  {
    updateOrganization: {
      request: (target, fixture) => ({ ...homeOrganization(target, fixture), body: { color1: '#123456' } }),
    },
    listOrganizationMembers: { request: homeOrganization },
    addOrganizationMember: {
      request: async (target, fixture) => ({
        ...homeOrganization(target, fixture),
        body: { email: (await fixture.cloud.make.user()).email, role: 'member' },
      }),
    },
    addOrganizationOwner: {
      of: 'addOrganizationMember',
      request: async (target, fixture) => ({
        ...homeOrganization(target, fixture),
        body: { email: (await fixture.cloud.make.user()).email, role: 'owner' },
      }),
    },
    removeOrganizationMember: {
      request: async (_target, fixture) => ({
        params: { id: fixture.home, user_id: await employeeOfHome(fixture) },
      }),
    },
    createOrganization: {
      request: () => ({ body: { name: uniqueName() } }),
    },
    addOrganizationSite: {
      request: ({ siteId }) => ({ body: { site_id: siteId } }),
    },
    removeOrganizationSite: {
      request: async ({ siteId }, { cloud, abroad }) => {
        await cloud.make.share(abroad, siteId);
        return { params: { organization_id: abroad, site_id: siteId } };
      },
    },
    listOrganizations: { request: emptyRequest },
    removeOrganizationLogo: { request: homeOrganization },
    setOrganizationDocument: {
      request: (_target, fixture) => ({
        params: { id: fixture.home, name: 'terms' },
        body: { text: 'Be kind.' },
      }),
    },
    updateOrganizationMember: {
      request: async (_target, fixture) => ({
        params: { id: fixture.home, user_id: await employeeOfHome(fixture) },
        body: { role: 'admin' },
      }),
    },
    setOrganizationLogo: {
      request: (target, fixture) => ({
        ...homeOrganization(target, fixture),
        raw: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>',
        headers: { 'content-type': 'image/svg+xml' },
      }),
    },
    getOrganizationDocument: {
      request: async (_target, { cloud, home: id }) => {
        await writeDocument(cloud, id);
        return { params: { id, name: 'privacy' } };
      },
    },
    removeOrganizationDocument: {
      request: async (_target, { cloud, home: id }) => {
        await writeDocument(cloud, id);
        return { params: { id, name: 'privacy' } };
      },
    },
    getOrganizationClosing: { request: homeOrganization },
    closeOrganization: {
      request: async (_target, { cloud, owner }) => ({ params: { id: await ownedBy(cloud, owner.id) } }),
    },
    listTeamInvitations: { request: emptyRequest },
    acceptTeamInvitation: {
      request: invitedOwner,
    },
    declineTeamInvitation: {
      request: invitedOwner,
    },
  },
);
