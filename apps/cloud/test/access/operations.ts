import type { TokenKind } from '../../src/secrets/opaque-token.ts';
import type { TestCloud } from '../../src/testing/test-cloud.ts';
import { DEVICE_OPERATIONS } from './device-operations.ts';
import type { AccessFixture, Target } from './fixture.ts';
import {
  type AccessOperation,
  type AccessRequest,
  emptyRequest,
  homeOrganization,
  uniqueName,
} from './operation.ts';
import { SECOND_FACTOR_OPERATIONS } from './second-factor-operations.ts';

const site = ({ siteId }: Target): AccessRequest => ({ params: { id: siteId } });

const application = async (_target: Target, { cloud, home: id }: AccessFixture): Promise<AccessRequest> => ({
  params: { id, client_id: await cloud.make.application(id) },
});

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

export const ACCESS_OPERATIONS: Readonly<Record<string, AccessOperation>> = {
  getCurrentUser: { route: 'GET /api/v1/user', request: emptyRequest },
  updateCurrentUser: { route: 'PATCH /api/v1/user', request: () => ({ body: { locale: 'de' } }) },
  updateProfile: {
    route: 'PATCH /api/v1/user/profile',
    request: () => ({ body: { phone_number: '+44 20 7946 0018' } }),
  },
  listUsers: { route: 'GET /api/v1/users', request: emptyRequest },
  listTokens: { route: 'GET /api/v1/user/tokens', request: emptyRequest },
  listSessions: { route: 'GET /api/v1/user/sessions', request: emptyRequest },
  createToken: {
    route: 'POST /api/v1/user/tokens',
    request: () => ({ body: { name: uniqueName(), scopes: ['sites:read_all'] } }),
  },
  revokeToken: {
    route: 'DELETE /api/v1/user/tokens/{id}',
    request: async (_target, { cloud, owner }) => {
      await cloud.make.token(owner.id);
      return { params: { id: await newestTokenOf(owner.id, 'api', cloud) } };
    },
  },
  signOut: { route: 'DELETE /api/v1/session', request: emptyRequest },
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
      body: { client_id: await cloud.make.application(home), nonce: uniqueName() },
    }),
  },
  createSessionToken: { route: 'POST /api/v1/session', request: emptyRequest },

  listSites: { route: 'GET /api/v1/sites', request: emptyRequest },
  listLocalSites: { route: 'GET /api/v1/sites/local', request: emptyRequest },
  getSite: { route: 'GET /api/v1/sites/{id}', request: site },
  authorizeSite: { route: 'POST /api/v1/sites/{id}/authorize', request: site },
  listSiteMembers: { route: 'GET /api/v1/sites/{id}/users', request: site },
  inviteSiteMember: {
    route: 'POST /api/v1/sites/{id}/users',
    request: (target) => ({
      ...site(target),
      body: { email: `${uniqueName()}@example.org`, role: 'member', first_name: 'Ada', last_name: 'Example' },
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
    request: (target) => ({ ...site(target), body: { name: uniqueName() } }),
  },
  describeSite: {
    route: 'PATCH /api/v1/sites/{id}',
    request: (target) => ({ ...site(target), body: { description: uniqueName() } }),
  },
  registerOwnersDevice: {
    route: 'POST /api/v1/sites/register',
    request: ({ uid }) => ({ body: { uid, name: uniqueName() } }),
  },
  registerFreeDevice: {
    route: 'POST /api/v1/sites/register',
    request: async (_target, { cloud }) => ({ body: { uid: await cloud.make.device(), name: uniqueName() } }),
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

  listApplications: { route: 'GET /api/v1/organizations/{id}/applications', request: homeOrganization },
  createApplication: {
    route: 'POST /api/v1/organizations/{id}/applications',
    request: (target, fixture) => ({ ...homeOrganization(target, fixture), body: { name: uniqueName() } }),
  },
  getApplication: { route: 'GET /api/v1/organizations/{id}/applications/{client_id}', request: application },
  updateApplication: {
    route: 'PATCH /api/v1/organizations/{id}/applications/{client_id}',
    request: async (target, fixture) => ({
      ...(await application(target, fixture)),
      body: { name: uniqueName() },
    }),
  },
  replaceApplicationSecret: {
    route: 'POST /api/v1/organizations/{id}/applications/{client_id}/secret',
    request: application,
  },
  deleteApplication: {
    route: 'DELETE /api/v1/organizations/{id}/applications/{client_id}',
    request: application,
  },
  listConnections: { route: 'GET /api/v1/user/connections', request: emptyRequest },
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

  listOrganizations: { route: 'GET /api/v1/organizations', request: emptyRequest },
  createOrganization: {
    route: 'POST /api/v1/organizations',
    request: () => ({ body: { name: uniqueName() } }),
  },
  updateOrganization: {
    route: 'PATCH /api/v1/organizations/{id}',
    request: (target, fixture) => ({ ...homeOrganization(target, fixture), body: { color1: '#123456' } }),
  },
  deleteOrganizationLogo: { route: 'DELETE /api/v1/organizations/{id}/logo', request: homeOrganization },
  setOrganizationLogo: {
    route: 'PUT /api/v1/organizations/{id}/logo',
    request: (target, fixture) => ({
      ...homeOrganization(target, fixture),
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
    request: (_target, fixture) => ({
      params: { id: fixture.home, name: 'terms' },
      body: { text: 'Be kind.' },
    }),
  },
  listOrganizationMembers: { route: 'GET /api/v1/organizations/{id}/users', request: homeOrganization },
  addOrganizationMember: {
    route: 'POST /api/v1/organizations/{id}/users',
    request: async (target, fixture) => ({
      ...homeOrganization(target, fixture),
      body: { email: (await fixture.cloud.make.user()).email, role: 'member' },
    }),
  },
  addOrganizationOwner: {
    route: 'POST /api/v1/organizations/{id}/users',
    request: async (target, fixture) => ({
      ...homeOrganization(target, fixture),
      body: { email: (await fixture.cloud.make.user()).email, role: 'owner' },
    }),
  },
  updateOrganizationMember: {
    route: 'PATCH /api/v1/organizations/{id}/users/{user_id}',
    request: async (_target, fixture) => ({
      params: { id: fixture.home, user_id: await employeeOfHome(fixture) },
      body: { role: 'admin' },
    }),
  },
  removeOrganizationMember: {
    route: 'DELETE /api/v1/organizations/{id}/users/{user_id}',
    request: async (_target, fixture) => ({
      params: { id: fixture.home, user_id: await employeeOfHome(fixture) },
    }),
  },
  listTeamInvitations: { route: 'GET /api/v1/user/invitations', request: emptyRequest },
  acceptTeamInvitation: {
    route: 'POST /api/v1/user/invitations/{organization_id}/accept',
    request: invitedOwner,
  },
  declineTeamInvitation: {
    route: 'DELETE /api/v1/user/invitations/{organization_id}',
    request: invitedOwner,
  },
  listOrganizationAudit: { route: 'GET /api/v1/organizations/{id}/audit', request: homeOrganization },
  listOwnAudit: { route: 'GET /api/v1/user/audit', request: emptyRequest },
  listAudit: { route: 'GET /api/v1/audit', request: emptyRequest },

  ...DEVICE_OPERATIONS,
  ...SECOND_FACTOR_OPERATIONS,
};
