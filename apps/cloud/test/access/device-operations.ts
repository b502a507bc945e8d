import { tokenHash } from '../../src/secrets/opaque-token.ts';
import type { TestCloud } from '../../src/testing/test-cloud.ts';
import type { AccessFixture, Target } from './fixture.ts';
import {
  type AccessOperation,
  type AccessRequest,
  emptyRequest,
  homeOrganization,
  uniqueName,
} from './operation.ts';

/** A proxy without devices. */
async function proxy(_target: Target, { cloud }: AccessFixture): Promise<AccessRequest> {
  const name = uniqueName();
  await cloud.announce(name);
  return { params: { name } };
}

/** @param organizationId null for a code of the service itself */
async function addCode({ db }: TestCloud, organizationId: number | null): Promise<number> {
  const { id } = await db
    .insertInto('activation_codes')
    .values({
      hash: tokenHash(uniqueName()),
      organization_id: organizationId,
      uses_left: 1,
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Operations about devices, their activation, and proxies. */
export const DEVICE_OPERATIONS: Readonly<Record<string, AccessOperation>> = {
  listDevices: { request: emptyRequest },
  getDevice: { request: ({ uid }) => ({ params: { uid } }) },
  provisionDevice: { request: () => ({ body: { uid: uniqueName() } }) },
  activateDevice: {
    request: async (_target, { cloud }) => ({
      params: { uid: await cloud.make.device({ activated: false }) },
    }),
  },
  revokeDevice: { request: ({ uid }) => ({ params: { uid } }) },
  restoreDevice: { request: ({ uid }) => ({ params: { uid } }) },
  createActivationCode: {
    request: (target, fixture) => ({ ...homeOrganization(target, fixture), body: {} }),
  },
  revokeActivationCode: {
    request: async (_target, { cloud, home: id }) => ({
      params: { id, code_id: await addCode(cloud, id) },
    }),
  },
  createServiceActivationCode: { request: () => ({ body: {} }) },
  listServiceActivationCodes: { request: emptyRequest },
  revokeServiceActivationCode: {
    request: async (_target, { cloud }) => ({ params: { code_id: await addCode(cloud, null) } }),
  },
  listActivationCodes: {
    request: homeOrganization,
  },
  listActivationRequests: { request: emptyRequest },
  declineActivationRequest: {
    request: async ({ uid }, { cloud, owner, home: organizationId }) => {
      const request = { uid, user_id: owner.id, organization_id: organizationId, message: 'Please' };
      await cloud.db
        .insertInto('activation_requests')
        .values({ ...request, requested_at: new Date() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return { params: { uid } };
    },
  },
  listProxies: { request: emptyRequest },
  drainProxy: { request: proxy },
  undrainProxy: { request: proxy },
  forgetProxy: {
    request: async (target, fixture) => {
      const request = await proxy(target, fixture);
      const silentSince = new Date(fixture.cloud.clock.now() - 60_000);
      await fixture.cloud.db
        .updateTable('proxies')
        .set({ announced_at: silentSince })
        .where('name', '=', String(request.params?.name))
        .execute();
      return request;
    },
  },
};
