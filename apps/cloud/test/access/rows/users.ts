import { emptyRequest, uniqueName } from '../requests.ts';
import { accessRows } from '../row.ts';

export const USER_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
getCurrentUser              any         200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200
updateCurrentUser           any         200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200
updateProfile               any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
joinOrganization            any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
listJoinedOrganizations     any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
leaveOrganization           any         403      403      403      403      403      403      404      403      403      403      403      403      403      403      403      403      403      401
getSiteViews                any         200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
setSiteViews                any         200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
listUsers                   users       200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
createIdToken               any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
`,
  {
    getCurrentUser: { request: emptyRequest },
    updateCurrentUser: { request: () => ({ body: { locale: 'de' } }) },
    updateProfile: {
      request: () => ({ body: { phone_number: '+44 20 7946 0018' } }),
    },
    joinOrganization: { request: (_target, { home }) => ({ body: { organization_id: home } }) },
    listJoinedOrganizations: { request: emptyRequest },
    leaveOrganization: {
      request: async (_target, { cloud }) => ({ params: { id: await cloud.make.organization() } }),
    },
    getSiteViews: { request: emptyRequest },
    setSiteViews: { request: () => ({ body: { views: [{ name: 'South', search: 'q=tag%3Asouth' }] } }) },
    listUsers: { request: emptyRequest },
    createIdToken: {
      request: async (_target, { cloud, home }) => ({
        body: { client_id: await cloud.make.application(home), nonce: uniqueName() },
      }),
    },
  },
);
