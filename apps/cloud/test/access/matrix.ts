import type { Scope } from '@heliograph/contracts';

/**
 * Access rights written by hand from the published API and its decision records, not computed by the code.
 *
 * Every caller has a relation to one site, which belongs to the organization "home":
 *
 *     stranger   an account with nothing
 *     rival      admin of another organization, with a token of that organization
 *     customer   a customer of home without a site
 *     member     reads the site                          admin    changes it
 *     owner      owns it, API token                      session  the owner, signed in
 *     inHome     the owner, token of home                abroad   the owner, token of another organization
 *     clerk      employee of home, role member           manager  role admin          boss  role owner
 *     roving     the manager with a token of no organization
 *     staff      operator                                posted   operator, token of another organization
 *     oauth      the owner's application, this site      other    the owner's application, another site
 *     mcp        the owner's agent, whose token is for the MCP server alone
 */
const MATRIX = `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
getCurrentUser              any         200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200
updateCurrentUser           any         200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200
updateProfile               any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
getEmail                    any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
requestEmailChange          any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
cancelEmailChange           any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
listUsers                   users       200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
listTokens                  any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
createToken                 any         403      403      403      403      403      403      201      403      403      403      403      403      403      403      403      403      403      401
revokeToken                 any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
createIdToken               any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
handOverSession             any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401

listSites                   read        200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
getSite                     single      404      404      404      200      200      200      200      200      404      200      200      200      200      200      404      200      404      401
authorizeSite               single      404      404      404      200      200      200      200      200      404      200      200      200      200      200      404      200      404      401
listSiteMembers             single      404      404      404      200      200      200      200      200      404      200      200      200      200      200      404      200      404      401
inviteSiteMember            write       404      404      404      403      200      200      200      200      404      403      200      200      200      200      404      403      403      401
updateSiteMember            write       404      404      404      403      200      200      200      200      404      403      200      200      200      200      404      403      403      401
transferSite                write       404      404      404      403      403      200      200      200      404      403      403      403      403      200      404      403      403      401
removeSiteMember            write       404      404      404      403      204      204      204      204      404      403      204      204      204      204      404      403      403      401
removeSiteOwner             write       404      404      404      403      403      403      403      403      404      403      403      403      403      403      404      403      403      401
renameSite                  write       404      404      404      403      200      200      200      200      404      403      200      200      200      200      404      403      403      401
registerOwnersDevice        write       404      404      404      404      404      200      200      200      404      404      404      404      404      404      404      403      403      401
listSiteAudit               read        404      404      404      403      200      200      200      200      404      403      200      200      200      200      404      403      403      401
probeSite                   single      404      404      404      200      200      200      200      200      404      200      200      200      200      200      404      200      404      401

updateOrganization          write       403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
listOrganizationMembers     users       403      403      403      403      403      403      403      403      403      200      200      200      200      200      403      403      403      401
addOrganizationMember       write       403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
addOrganizationOwner        write       403      403      403      403      403      403      403      403      403      403      403      200      403      200      403      403      403      401
removeOrganizationMember    write       403      403      403      403      403      403      403      403      403      403      204      204      204      204      403      403      403      401
listOrganizationAudit       read        403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
createOrganization          write       403      403      403      403      403      403      403      403      403      403      403      403      403      201      403      403      403      401
listOwnAudit                any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
listAudit                   read        403      403      403      403      403      403      403      403      403      403      403      403      403      200      403      403      403      401

listDevices                 read        200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
activateDevice              write       403      200      403      403      403      403      403      403      403      403      200      200      200      200      200      403      403      401
revokeDevice                write       404      404      404      403      403      403      403      403      404      403      200      200      200      200      404      403      403      401
createActivationCode        write       403      403      403      403      403      403      403      403      403      403      201      201      201      201      403      403      403      401
listActivationRequests      read        403      200      403      403      403      403      403      403      403      403      200      200      200      200      200      403      403      401
provisionDevice             write       403      403      403      403      403      403      403      403      403      403      403      403      403      201      403      403      403      401
addOrganizationSite         single      403      403      403      403      403      403      403      403      403      403      403      403      403      403      403      200      404      401
listSessions                any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
listLocalSites              read        200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
registerFreeDevice          write       200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
requestActivation           write       200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
removeOrganizationSite      write       403      403      403      403      403      403      403      403      403      403      403      403      403      204      204      403      403      401
getConsentedSite            single      404      200      404      200      200      200      200      200      200      200      200      200      200      200      200      200      404      401
removeConsentedSiteMember   write       404      403      404      403      204      204      204      204      403      403      204      204      204      204      403      403      403      401
listOrganizations           any         200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      401
removeOrganizationLogo      write       403      403      403      403      403      403      403      403      403      403      204      204      204      204      403      403      403      401
setOrganizationDocument     write       403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
updateOrganizationMember    write       403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
getDevice                   read        404      404      404      200      200      200      200      200      404      200      200      200      200      200      404      403      403      401
restoreDevice               write       404      404      404      403      403      403      403      403      404      403      200      200      200      200      404      403      403      401
listActivationCodes         read        403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
signOut                     any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
endSession                  any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
setOrganizationLogo         write       403      403      403      403      403      403      403      403      403      403      204      204      204      204      403      403      403      401
getOrganizationDocument     read        403      403      403      403      403      403      403      403      403      200      200      200      200      200      403      403      403      401
removeOrganizationDocument  write       403      403      403      403      403      403      403      403      403      403      204      204      204      204      403      403      403      401
revokeActivationCode        write       403      403      403      403      403      403      403      403      403      403      204      204      204      204      403      403      403      401
listApplications            read        403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
createApplication           write       403      403      403      403      403      403      403      403      403      403      201      201      201      201      403      403      403      401
getApplication              read        403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
updateApplication           write       403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
replaceApplicationSecret    write       403      403      403      403      403      403      403      403      403      403      200      200      200      200      403      403      403      401
deleteApplication           write       403      403      403      403      403      403      403      403      403      403      204      204      204      204      403      403      403      401
listTeamInvitations         any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
acceptTeamInvitation        any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
declineTeamInvitation       any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
listProducts                products    200      200      200      200      200      200      403      200      200      200      200      200      200      200      200      403      403      401
getProduct                  products    404      404      200      404      404      404      403      404      404      200      200      200      200      200      404      403      403      401

listConnections             read        200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
endConnection               write       404      404      404      404      404      204      204      404      204      404      404      404      404      404      404      403      403      401
listSiteConnections         read        404      404      404      403      200      200      200      200      404      403      403      403      403      200      404      403      403      401
describeSite                write       404      404      404      403      200      200      200      200      404      403      200      200      200      200      404      403      403      401
listServiceActivationCodes  read        403      403      403      403      403      403      403      403      403      403      403      403      403      200      403      403      403      401
createServiceActivationCode write       403      403      403      403      403      403      403      403      403      403      403      403      403      201      403      403      403      401
revokeServiceActivationCode write       403      403      403      403      403      403      403      403      403      403      403      403      403      204      403      403      403      401
listProxies                 read        403      403      403      403      403      403      403      403      403      403      403      403      403      200      403      403      403      401
drainProxy                  write       403      403      403      403      403      403      403      403      403      403      403      403      403      200      403      403      403      401
undrainProxy                write       403      403      403      403      403      403      403      403      403      403      403      403      403      200      403      403      403      401
forgetProxy                 write       403      403      403      403      403      403      403      403      403      403      403      403      403      204      403      403      403      401
declineActivationRequest    write       403      404      403      403      403      403      403      403      403      403      204      204      204      204      404      403      403      401
endSiteConnection           write       404      404      404      403      204      204      204      204      404      403      403      403      403      204      404      403      403      401
getSecondFactor             any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
startAuthenticatorApp       any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
confirmAuthenticatorApp     any         403      403      403      403      403      403      422      403      403      403      403      403      403      403      403      403      403      401
removeAuthenticatorApp      any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
startPasskey                any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
addPasskey                  any         403      403      403      403      403      403      201      403      403      403      403      403      403      403      403      403      403      401
removePasskey               any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
replaceRecoveryCodes        any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
describeSessionConfirmation any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
confirmSession              any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
`;

const SCOPES: Readonly<Record<string, readonly Scope[]>> = {
  any: [],
  read: ['sites:read_all'],
  single: ['sites:read_all', 'sites:read_single'],
  write: ['sites:write_all'],
  users: ['users:read_all'],
  products: ['products:read_all'],
};

export interface AccessRule {
  readonly operation: string;
  /** Any one of them is enough; an empty list: any valid token. */
  readonly scopes: readonly Scope[];
  /** The status for each caller. */
  readonly expected: Readonly<Record<string, number>>;
}

const [[, , ...callers] = [], ...rows] = MATRIX.split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => line.trim().split(/\s+/));

export const CALLERS: readonly string[] = callers;

export const RULES: readonly AccessRule[] = rows.map(([operation = '', scope = '', ...statuses]) => ({
  operation,
  scopes: SCOPES[scope] ?? [],
  expected: Object.fromEntries(callers.map((caller, column) => [caller, Number(statuses[column])])),
}));
