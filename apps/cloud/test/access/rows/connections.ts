import type { AccessFixture, Target } from '../fixture.ts';
import { emptyRequest, homeOrganization, site, uniqueName } from '../requests.ts';
import { type AccessRequest, accessRows } from '../row.ts';

const application = async (_target: Target, { cloud, home: id }: AccessFixture): Promise<AccessRequest> => ({
  params: { id, client_id: await cloud.make.application(id) },
});

export const CONNECTION_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
listApplications            read        403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
createApplication           write       403      403      403      403      403      403      403      403      403      403      201      201      201      201      403      403      403      401
getApplication              read        403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
updateApplication           write       403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
replaceApplicationSecret    write       403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
deleteApplication           write       403      403      403      403      403      403      403      403      403      403      204      204      204      204      403      403      403      401
listConnections             read        200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
endConnection               write       404      404      404      404      404      204      204      404      204      404      404      404      404      404      404      403      403      401
listSiteConnections         read
endSiteConnection           write
`,
  {
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
  },
);
