import { emptyRequest, homeOrganization, site } from '../requests.ts';
import { accessRows } from '../row.ts';

export const AUDIT_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
listSiteAudit               read
listOrganizationAudit       read        403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
listOwnAudit                any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
listAudit                   read        403      403      403      403      403      403      403      403      403      403      403      403      403      200      403      403      403      401
`,
  {
    listSiteAudit: { request: site },
    listOrganizationAudit: { request: homeOrganization },
    listOwnAudit: { request: emptyRequest },
    listAudit: { request: emptyRequest },
  },
);
