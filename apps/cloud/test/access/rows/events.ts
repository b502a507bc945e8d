import { emptyRequest, homeOrganization, site } from '../requests.ts';
import { accessRows } from '../row.ts';

export const EVENT_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
listEvents                  single      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      401
listAlerts                  single      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      401
listSiteAlerts              single
changeSiteAlert             write
listAlertAssignees          write
getOfflineAlert             single
setOfflineAlert             write
listOrganizationEvents      read        403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
`,
  {
    listEvents: { request: emptyRequest },
    listAlerts: { request: emptyRequest },
    listSiteAlerts: { request: site },
    listAlertAssignees: { request: site },
    getOfflineAlert: { request: site },
    setOfflineAlert: { request: ({ siteId }) => ({ params: { id: siteId }, body: { minutes: 30 } }) },
    changeSiteAlert: {
      request: async ({ siteId }, fixture) => ({
        params: { id: siteId, alert_id: await fixture.cloud.make.alert(siteId) },
        body: { acknowledged: true },
      }),
    },
    listOrganizationEvents: { request: homeOrganization },
  },
);
