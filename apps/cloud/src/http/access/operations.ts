import type { TokenKind } from '../../secrets/opaque-token.ts';
import type { TestCloud } from '../../testing/test-cloud.ts';
import { DEVICE_OPERATIONS } from './device-operations.ts';
import { fresh, home, nothing, type Operation, type Request } from './operation.ts';
import { SECOND_FACTOR_OPERATIONS } from './second-factor-operations.ts';
import type { Target, World } from './world.ts';

const site = ({ siteId }: Target): Request => ({ params: { id: siteId } });

const application = async (_target: Target, { cloud, home: id }: World): Promise<Request> => ({
  params: { id, client_id: await cloud.make.application(id) },
});

async function employeeOfHome(world: World): Promise<number> {
  return (await world.cloud.make.employee(world.home)).id;
}

/** The owner is invited to the team of the organization abroad. */
async function invitedOwner(_target: Target, { cloud, abroad, owner }: World): Promise<Request> {
  await cloud.make.teamInvitation(abroad, owner.id);
  return { params: { organization_id: abroad } };
}

async function newestTokenOf(userId: number, kind: TokenKind, { db }: TestCloud): Promise<number> {
  const token = await db
    .selectFrom('tokens')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return token.id;
}

async function writeDocument({ db }: TestCloud, organizationId: number): Promise<void> {
  await db
    .insertInto('organization_documents')
    .values({ organization_id: organizationId, name: 'privacy', text: 'We keep it.' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  getCurrentUser: { route: 'GET /api/v1/user', request: nothing },
  updateCurrentUser: { route: 'PATCH /api/v1/user', request: () => ({ body: { locale: 'de' } }) },
  listUsers: { route: 'GET /api/v1/users', request: nothing },
  listTokens: { route: 'GET /api/v1/user/tokens', request: nothing },
  listSessions: { route: 'GET /api/v1/user/sessions', request: nothing },
  createToken: {
    route: 'POST /api/v1/user/tokens',
    request: () => ({ body: { name: fresh(), scopes: ['sites:read_all'] } }),
  },
  revokeToken: {
    route: 'DELETE /api/v1/user/tokens/{id}',
    request: async (_target, { cloud, owner }) => {
      await cloud.make.token(owner.id);
      return { params: { id: await newestTokenOf(owner.id, 'api', cloud) } };
    },
  },
  signOut: { route: 'DELETE /api/v1/session', request: nothing },
  revokeSession: {
    route: 'DELETE /api/v1/user/sessions/{id}',
    request: async (_target, { cloud, owner }) => {
      await cloud.make.token(owner.id, { kind: 'session' });
      return { params: { id: await newestTokenOf(owner.id, 'session', cloud) } };
    },
  },
  createIdToken: {
    route: 'POST /api/v1/id_token',
    request: async (_target, { cloud, home }) => ({
      body: { client_id: await cloud.make.application(home), nonce: fresh() },
    }),
  },
  createSessionToken: { route: 'POST /api/v1/session', request: nothing },

  listSites: { route: 'GET /api/v1/sites', request: nothing },
  listLocalSites: { route: 'GET /api/v1/sites/local', request: nothing },
  getSite: { route: 'GET /api/v1/sites/{id}', request: site },
  authorizeSite: { route: 'POST /api/v1/sites/{id}/authorize', request: site },
  listSiteMembers: { route: 'GET /api/v1/sites/{id}/users', request: site },
  inviteSiteMember: {
    route: 'POST /api/v1/sites/{id}/users',
    request: (target) => ({
      ...site(target),
      body: { email: `${fresh()}@example.org`, role: 'member', first_name: 'Ada', last_name: 'Example' },
    }),
  },
  updateSiteMember: {
    route: 'PATCH /api/v1/sites/{id}/users/{user_id}',
    request: ({ siteId, memberId }) => ({
      params: { id: siteId, user_id: memberId },
      body: { role: 'admin' },
    }),
  },
  transferSite: {
    route: 'PATCH /api/v1/sites/{id}/users/{user_id}',
    request: ({ siteId, memberId }) => ({
      params: { id: siteId, user_id: memberId },
      body: { role: 'owner' },
    }),
  },
  removeSiteMember: {
    route: 'DELETE /api/v1/sites/{id}/users/{user_id}',
    request: ({ siteId, memberId }) => ({ params: { id: siteId, user_id: memberId } }),
  },
  removeSiteOwner: {
    route: 'DELETE /api/v1/sites/{id}/users/{user_id}',
    request: ({ siteId }, { owner }) => ({ params: { id: siteId, user_id: owner.id } }),
  },
  renameSite: {
    route: 'PATCH /api/v1/sites/{id}/name',
    request: (target) => ({ ...site(target), body: { name: fresh() } }),
  },
  describeSite: {
    route: 'PATCH /api/v1/sites/{id}',
    request: (target) => ({ ...site(target), body: { description: fresh() } }),
  },
  registerOwnersDevice: {
    route: 'POST /api/v1/sites/register',
    request: ({ uid }) => ({ body: { uid, name: fresh() } }),
  },
  registerFreeDevice: {
    route: 'POST /api/v1/sites/register',
    request: async (_target, { cloud }) => ({ body: { uid: await cloud.make.device(), name: fresh() } }),
  },
  requestActivation: {
    route: 'POST /api/v1/sites/request_activation',
    request: async (_target, { cloud }) => ({
      body: { uid: await cloud.make.device({ activated: false }), message: 'Please' },
    }),
  },
  listSiteAudit: { route: 'GET /api/v1/sites/{id}/audit', request: site },
  checkSiteOffline: {
    route: 'PUT /api/v1/sites/{id}/offline',
    request: (target) => ({ ...site(target), body: { uri: '/' } }),
  },
  addOrganizationSite: {
    route: 'POST /api/v1/organization_sites',
    request: ({ siteId }) => ({ body: { site_id: siteId } }),
  },
  removeOrganizationSite: {
    route: 'DELETE /api/v1/organization_sites/{organization_id}/{site_id}',
    request: async ({ siteId }, { cloud, abroad }) => {
      await cloud.make.share(abroad, siteId);
      return { params: { organization_id: abroad, site_id: siteId } };
    },
  },
  removeConsentedSiteMember: {
    route: 'DELETE /api/v1/sites/{id}/users/{user_id}',
    request: async ({ siteId, memberId }, { cloud, abroad }) => {
      await cloud.make.share(abroad, siteId);
      return { params: { id: siteId, user_id: memberId } };
    },
  },
  getConsentedSite: {
    route: 'GET /api/v1/sites/{id}',
    request: async ({ siteId }, { cloud, abroad }) => {
      await cloud.make.share(abroad, siteId);
      return { params: { id: siteId } };
    },
  },

  listApplications: { route: 'GET /api/v1/organizations/{id}/applications', request: home },
  createApplication: {
    route: 'POST /api/v1/organizations/{id}/applications',
    request: (target, world) => ({ ...home(target, world), body: { name: fresh() } }),
  },
  getApplication: { route: 'GET /api/v1/organizations/{id}/applications/{client_id}', request: application },
  updateApplication: {
    route: 'PATCH /api/v1/organizations/{id}/applications/{client_id}',
    request: async (target, world) => ({ ...(await application(target, world)), body: { name: fresh() } }),
  },
  replaceApplicationSecret: {
    route: 'POST /api/v1/organizations/{id}/applications/{client_id}/secret',
    request: application,
  },
  deleteApplication: {
    route: 'DELETE /api/v1/organizations/{id}/applications/{client_id}',
    request: application,
  },
  listConnections: { route: 'GET /api/v1/user/connections', request: nothing },
  endConnection: {
    route: 'DELETE /api/v1/user/connections/{id}',
    request: async ({ siteId }, { cloud, owner, abroad }) => ({
      params: { id: await cloud.make.grant(owner.id, { siteId, organizationId: abroad }) },
    }),
  },
  listSiteConnections: { route: 'GET /api/v1/sites/{id}/connections', request: site },
  endSiteConnection: {
    route: 'DELETE /api/v1/sites/{id}/connections/{connection_id}',
    request: async ({ siteId }, { cloud, owner, abroad: organizationId }) => ({
      params: { id: siteId, connection_id: await cloud.make.grant(owner.id, { siteId, organizationId }) },
    }),
  },

  listOrganizations: { route: 'GET /api/v1/organizations', request: nothing },
  createOrganization: { route: 'POST /api/v1/organizations', request: () => ({ body: { name: fresh() } }) },
  updateOrganization: {
    route: 'PATCH /api/v1/organizations/{id}',
    request: (target, world) => ({ ...home(target, world), body: { color1: '#123456' } }),
  },
  deleteOrganizationLogo: { route: 'DELETE /api/v1/organizations/{id}/logo', request: home },
  setOrganizationLogo: {
    route: 'PUT /api/v1/organizations/{id}/logo',
    request: (target, world) => ({
      ...home(target, world),
      raw: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>',
      headers: { 'content-type': 'image/svg+xml' },
    }),
  },
  getOrganizationDocument: {
    route: 'GET /api/v1/organizations/{id}/documents/{name}',
    request: async (_target, { cloud, home: id }) => {
      await writeDocument(cloud, id);
      return { params: { id, name: 'privacy' } };
    },
  },
  deleteOrganizationDocument: {
    route: 'DELETE /api/v1/organizations/{id}/documents/{name}',
    request: async (_target, { cloud, home: id }) => {
      await writeDocument(cloud, id);
      return { params: { id, name: 'privacy' } };
    },
  },
  setOrganizationDocument: {
    route: 'PUT /api/v1/organizations/{id}/documents/{name}',
    request: (_target, world) => ({ params: { id: world.home, name: 'terms' }, body: { text: 'Be kind.' } }),
  },
  listOrganizationMembers: { route: 'GET /api/v1/organizations/{id}/users', request: home },
  addOrganizationMember: {
    route: 'POST /api/v1/organizations/{id}/users',
    request: async (target, world) => ({
      ...home(target, world),
      body: { email: (await world.cloud.make.user()).email, role: 'member' },
    }),
  },
  addOrganizationOwner: {
    route: 'POST /api/v1/organizations/{id}/users',
    request: async (target, world) => ({
      ...home(target, world),
      body: { email: (await world.cloud.make.user()).email, role: 'owner' },
    }),
  },
  updateOrganizationMember: {
    route: 'PATCH /api/v1/organizations/{id}/users/{user_id}',
    request: async (_target, world) => ({
      params: { id: world.home, user_id: await employeeOfHome(world) },
      body: { role: 'admin' },
    }),
  },
  removeOrganizationMember: {
    route: 'DELETE /api/v1/organizations/{id}/users/{user_id}',
    request: async (_target, world) => ({ params: { id: world.home, user_id: await employeeOfHome(world) } }),
  },
  listTeamInvitations: { route: 'GET /api/v1/user/invitations', request: nothing },
  acceptTeamInvitation: {
    route: 'POST /api/v1/user/invitations/{organization_id}/accept',
    request: invitedOwner,
  },
  declineTeamInvitation: {
    route: 'DELETE /api/v1/user/invitations/{organization_id}',
    request: invitedOwner,
  },
  listOrganizationAudit: { route: 'GET /api/v1/organizations/{id}/audit', request: home },
  listOwnAudit: { route: 'GET /api/v1/user/audit', request: nothing },
  listAudit: { route: 'GET /api/v1/audit', request: nothing },

  ...DEVICE_OPERATIONS,
  ...SECOND_FACTOR_OPERATIONS,
};
