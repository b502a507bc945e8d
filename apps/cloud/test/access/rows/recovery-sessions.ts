import type { AccessFixture, Target } from '../fixture.ts';
import { emptyRequest } from '../requests.ts';
import { type AccessRequest, accessRows } from '../row.ts';

/** A session of the organization home on the site. */
const session =
  (isActive: boolean, body?: object) =>
  async ({ siteId }: Target, { cloud, home }: AccessFixture): Promise<AccessRequest> => ({
    params: { id: siteId, session_id: await cloud.make.recoverySession(siteId, home, { isActive }) },
    ...(body !== undefined && { body }),
  });

const open = ({ siteId }: Target): AccessRequest => ({
  params: { id: siteId },
  body: { reason: 'It shows no sun at noon.' },
});

const authorize = async (target: Target, fixture: AccessFixture): Promise<AccessRequest> => {
  await session(true)(target, fixture);
  return { params: { id: target.siteId }, query: { roles: 'recovery' } };
};

export const RECOVERY_SESSION_ROWS = accessRows(
  `
operation                   scope    stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
openRecoverySession         recover  404      404      404      403      201      201      201      201      404      201      201      201      201      201      404      403      403      401
listSiteRecoverySessions    support  404      404      404      403      200      200      200      200      404      200      200      200      200      200      404      403      403      401
getRecoverySession          support  404      404      404      403      200      200      200      200      404      200      200      200      200      200      404      403      403      401
listRecoverySessionEvents   support  404      404      404      403      200      200      200      200      404      200      200      200      200      200      404      403      403      401
approveRecoverySession      any      403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
declineRecoverySession      recover  404      404      404      403      200      200      200      200      404      403      403      403      403      403      404      403      403      401
extendRecoverySession       any      403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
endRecoverySession          recover  404      404      404      403      204      204      204      204      404      204      204      204      204      204      404      403      403      401
listRecoverySessions        recover  200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
joinRecoverySession         single   404      404      404      403      403      403      403      403      404      200      200      200      200      403      404      403      404      401
`,
  {
    openRecoverySession: { request: open },
    listSiteRecoverySessions: { request: ({ siteId }) => ({ params: { id: siteId } }) },
    getRecoverySession: { request: session(false) },
    listRecoverySessionEvents: { request: session(false) },
    approveRecoverySession: { request: session(false, {}) },
    declineRecoverySession: { request: session(false) },
    extendRecoverySession: { request: session(true, { hours: 1 }) },
    endRecoverySession: { request: session(true) },
    listRecoverySessions: { request: emptyRequest },
    joinRecoverySession: { of: 'authorizeSite', request: authorize },
  },
);
