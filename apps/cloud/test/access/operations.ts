import type { TokenKind } from '../../src/secrets/opaque-token.ts';
import { PASSWORD } from '../../src/testing/factory.ts';
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
  getCurrentUser: { request: emptyRequest },
  updateCurrentUser: { request: () => ({ body: { locale: 'de' } }) },
  updateProfile: {
    request: () => ({ body: { phone_number: '+44 20 7946 0018' } }),
  },
  getEmail: { request: emptyRequest },
  requestEmailChange: {
    request: () => ({ body: { email: `${uniqueName()}@example.org`, password: PASSWORD } }),
  },
  cancelEmailChange: {
    request: async (_target, { cloud: { db, clock }, owner }) => {
      const row = { email: `${uniqueName()}@example.org`, expires_at: new Date(clock.now() + 1000) };
      await db
        .insertInto('email_changes')
        .values({ ...row, user_id: owner.id })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
        .execute();
      return {};
    },
  },
  listProducts: { request: emptyRequest },
  getProduct: {
    request: async (_target, { cloud, home }) => ({
      params: { id: await cloud.make.product(home, { sku: uniqueName() }) },
    }),
  },
  listUsers: { request: emptyRequest },
  listTokens: { request: emptyRequest },
  listSessions: { request: emptyRequest },
  createToken: {
    request: () => ({ body: { name: uniqueName(), scopes: ['sites:read_all'] } }),
  },
  revokeToken: {
    request: async (_target, { cloud, owner }) => {
      await cloud.make.token(owner.id);
      return { params: { id: await newestTokenOf(owner.id, 'api', cloud) } };
    },
  },
  signOut: { request: emptyRequest },
  endSession: {
    request: async (_target, { cloud, owner }) => {
      await cloud.make.token(owner.id, { kind: 'session' });
      return { params: { id: await newestTokenOf(owner.id, 'session', cloud) } };
    },
  },
  createIdToken: {
    request: async (_target, { cloud, home }) => ({
      body: { client_id: await cloud.make.application(home), nonce: uniqueName() },
    }),
  },
  handOverSession: { request: emptyRequest },

  listSites: { request: emptyRequest },
  listLocalSites: { request: emptyRequest },
  getSite: { request: site },
  authorizeSite: { request: site },
  listSiteMembers: { request: site },
  inviteSiteMember: {
    request: (target) => ({
      ...site(target),
      body: { email: `${uniqueName()}@example.org`, role: 'member', first_name: 'Ada', last_name: 'Example' },
    }),
  },
  updateSiteMember: {
    request: ({ siteId, memberId }) => ({
      params: { id: siteId, user_id: memberId },
      body: { role: 'admin' },
    }),
  },
  transferSite: {
    of: 'updateSiteMember',
    request: ({ siteId, memberId }) => ({
      params: { id: siteId, user_id: memberId },
      body: { role: 'owner' },
    }),
  },
  removeSiteMember: {
    request: ({ siteId, memberId }) => ({ params: { id: siteId, user_id: memberId } }),
  },
  removeSiteOwner: {
    of: 'removeSiteMember',
    request: ({ siteId }, { owner }) => ({ params: { id: siteId, user_id: owner.id } }),
  },
  renameSite: {
    request: (target) => ({ ...site(target), body: { name: uniqueName() } }),
  },
  describeSite: {
    request: (target) => ({ ...site(target), body: { description: uniqueName() } }),
  },
  registerOwnersDevice: {
    of: 'registerSite',
    request: ({ uid }) => ({ body: { uid, name: uniqueName() } }),
  },
  registerFreeDevice: {
    of: 'registerSite',
    request: async (_target, { cloud }) => ({ body: { uid: await cloud.make.device(), name: uniqueName() } }),
  },
  requestActivation: {
    request: async (_target, { cloud }) => ({
      body: { uid: await cloud.make.device({ activated: false }), message: 'Please' },
    }),
  },
  listSiteAudit: { request: site },
  probeSite: {
    request: (target) => ({ ...site(target), body: { uri: '/' } }),
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
  removeConsentedSiteMember: {
    of: 'removeSiteMember',
    request: async ({ siteId, memberId }, { cloud, abroad }) => {
      await cloud.make.share(abroad, siteId);
      return { params: { id: siteId, user_id: memberId } };
    },
  },
  getConsentedSite: {
    of: 'getSite',
    request: async ({ siteId }, { cloud, abroad }) => {
      await cloud.make.share(abroad, siteId);
      return { params: { id: siteId } };
    },
  },

  listApplications: { request: homeOrganization },
  createApplication: {
    request: (target, fixture) => ({ ...homeOrganization(target, fixture), body: { name: uniqueName() } }),
  },
  getApplication: { request: application },
  updateApplication: {
    request: async (target, fixture) => ({
      ...(await application(target, fixture)),
      body: { name: uniqueName() },
    }),
  },
  replaceApplicationSecret: {
    request: application,
  },
  deleteApplication: {
    request: application,
  },
  listConnections: { request: emptyRequest },
  endConnection: {
    request: async ({ siteId }, { cloud, owner, abroad }) => ({
      params: { id: await cloud.make.grant(owner.id, { siteId, organizationId: abroad }) },
    }),
  },
  listSiteConnections: { request: site },
  endSiteConnection: {
    request: async ({ siteId }, { cloud, owner, abroad: organizationId }) => ({
      params: { id: siteId, connection_id: await cloud.make.grant(owner.id, { siteId, organizationId }) },
    }),
  },

  listOrganizations: { request: emptyRequest },
  createOrganization: {
    request: () => ({ body: { name: uniqueName() } }),
  },
  updateOrganization: {
    request: (target, fixture) => ({ ...homeOrganization(target, fixture), body: { color1: '#123456' } }),
  },
  removeOrganizationLogo: { request: homeOrganization },
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
  setOrganizationDocument: {
    request: (_target, fixture) => ({
      params: { id: fixture.home, name: 'terms' },
      body: { text: 'Be kind.' },
    }),
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
  updateOrganizationMember: {
    request: async (_target, fixture) => ({
      params: { id: fixture.home, user_id: await employeeOfHome(fixture) },
      body: { role: 'admin' },
    }),
  },
  removeOrganizationMember: {
    request: async (_target, fixture) => ({
      params: { id: fixture.home, user_id: await employeeOfHome(fixture) },
    }),
  },
  listTeamInvitations: { request: emptyRequest },
  acceptTeamInvitation: {
    request: invitedOwner,
  },
  declineTeamInvitation: {
    request: invitedOwner,
  },
  listOrganizationAudit: { request: homeOrganization },
  listOwnAudit: { request: emptyRequest },
  listAudit: { request: emptyRequest },

  ...DEVICE_OPERATIONS,
  ...SECOND_FACTOR_OPERATIONS,
};
