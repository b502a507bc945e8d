import { tokenHash } from '../../../src/common/secrets/opaque-token.ts';
import type { TestCloud } from '../../test-cloud.ts';
import { emptyRequest, homeOrganization, uniqueName } from '../requests.ts';
import { accessRows } from '../row.ts';

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

export const DEVICE_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
listDevices                 read        200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
activateDevice              write       403      200      403      403      403      403      403      403      403      403      200      200      200      200      200      403      403      401
revokeDevice                write       404      404      404      403      403      403      403      403      404      403      200      200      200      200      404      403      403      401
createActivationCode        write       403      403      403      403      403      403      403      403      403      403      201      201      201      201      403      403      403      401
listActivationRequests      read        403      200      403      403      403      403      403      403      403      403      200      200      200      200      200      403      403      401
provisionDevice             write       403      403      403      403      403      403      403      403      403      403      403      403      403      201      403      403      403      401
requestActivation           write       200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
getDevice                   read        404      404      404      200      200      200      200      200      404      200      200      200      200      200      404      403      403      401
restoreDevice               write       404      404      404      403      403      403      403      403      404      403      200      200      200      200      404      403      403      401
listActivationCodes         read        403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
revokeActivationCode        write       403      403      403      403      403      403      403      403      403      403      204      204      204      204      403      403      403      401
listServiceActivationCodes  read        403      403      403      403      403      403      403      403      403      403      403      403      403      200      403      403      403      401
createServiceActivationCode write       403      403      403      403      403      403      403      403      403      403      403      403      403      201      403      403      403      401
revokeServiceActivationCode write       403      403      403      403      403      403      403      403      403      403      403      403      403      204      403      403      403      401
declineActivationRequest    write       403      404      403      403      403      403      403      403      403      403      204      204      204      204      404      403      403      401
`,
  {
    listDevices: { request: emptyRequest },
    activateDevice: {
      request: async (_target, { cloud }) => ({
        params: { uid: await cloud.make.device({ activated: false }) },
      }),
    },
    revokeDevice: { request: ({ uid }) => ({ params: { uid } }) },
    createActivationCode: {
      request: (target, fixture) => ({ ...homeOrganization(target, fixture), body: {} }),
    },
    listActivationRequests: { request: emptyRequest },
    provisionDevice: { request: () => ({ body: { uid: uniqueName() } }) },
    requestActivation: {
      request: async (_target, { cloud }) => ({
        body: { uid: await cloud.make.device({ activated: false }), message: 'Please' },
      }),
    },
    getDevice: { request: ({ uid }) => ({ params: { uid } }) },
    restoreDevice: { request: ({ uid }) => ({ params: { uid } }) },
    listActivationCodes: {
      request: homeOrganization,
    },
    revokeActivationCode: {
      request: async (_target, { cloud, home: id }) => ({
        params: { id, code_id: await addCode(cloud, id) },
      }),
    },
    listServiceActivationCodes: { request: emptyRequest },
    createServiceActivationCode: { request: () => ({ body: {} }) },
    revokeServiceActivationCode: {
      request: async (_target, { cloud }) => ({ params: { code_id: await addCode(cloud, null) } }),
    },
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
  },
);
