import { emptyRequest, homeOrganization } from '../requests.ts';
import { accessRows } from '../row.ts';

export const EVENT_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
listEvents                  single      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      401
listOrganizationEvents      read        403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
`,
  {
    listEvents: { request: emptyRequest },
    listOrganizationEvents: { request: homeOrganization },
  },
);
