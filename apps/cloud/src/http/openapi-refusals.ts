/** Statuses that an operation refuses with. */
export type Refusal = 400 | 401 | 403 | 404 | 412 | 413 | 422 | 429;

export const REFUSAL_DESCRIPTIONS: Readonly<Record<Refusal, string>> = {
  400: 'Something required is missing, or cannot be read',
  401: 'The token is missing, has expired or is invalid',
  403: 'The token lacks the scope, or the account may not do this',
  404: 'There is no such record, or none that the account may see',
  412: 'The email address is not confirmed yet, or a second factor has to be shown',
  413: 'The body is too large',
  422: 'Understood, but refused: what is wrong with which field, or a reason',
  429: 'Too many requests: try again later',
};

/** The description of 401 where no bearer token is accepted. */
export const WRONG_CREDENTIALS = 'Wrong email or password, or a token in the body that is no longer good';

/**
 * Refusals by `operationId`: the statuses that a client must handle. Those of unreadable input (400, 413) follow from
 * the operation's schema. The introduction of the document states that any operation may answer 429 or 503.
 */
export const REFUSALS: Readonly<Record<string, readonly Refusal[]>> = {
  signIn: [400, 401, 412, 422, 429],
  register: [422, 429],
  describePendingSignIn: [400, 401],
  showSecondFactor: [400, 401, 429],
  confirmUser: [400, 412, 422],
  requestPasswordReset: [400, 422, 429],
  resetPassword: [400, 412, 422],
  setPassword: [400, 412, 422],
  handOverSession: [401, 403],
  createIdToken: [400, 401, 403, 422],
  signOut: [401, 403],
  describeSessionConfirmation: [401, 403],
  confirmSession: [400, 401, 403, 422, 429],

  getCurrentUser: [401],
  updateCurrentUser: [400, 401, 422],
  listUsers: [401, 403],

  getSecondFactor: [401, 403],
  startAuthenticatorApp: [401, 403, 422],
  confirmAuthenticatorApp: [400, 401, 403, 422, 429],
  removeAuthenticatorApp: [401, 403, 404, 422],
  startPasskey: [401, 403],
  addPasskey: [400, 401, 403, 422, 429],
  removePasskey: [401, 403, 404, 422],
  replaceRecoveryCodes: [401, 403, 422, 429],

  listTokens: [401, 403],
  createToken: [400, 401, 403, 422, 429],
  revokeToken: [401, 403, 404],
  listSessions: [401, 403],
  endSession: [401, 403, 404],

  listSites: [401, 403],
  listLocalSites: [401, 403],
  registerSite: [400, 401, 403, 404, 422, 429],
  getSite: [401, 403, 404],
  describeSite: [400, 401, 403, 404, 422],
  renameSite: [400, 401, 403, 404, 422],
  authorizeSite: [401, 403, 404],
  probeSite: [401, 403, 404],

  listSiteMembers: [401, 403, 404],
  inviteSiteMember: [400, 401, 403, 404, 422, 429],
  updateSiteMember: [400, 401, 403, 404],
  removeSiteMember: [401, 403, 404],

  getOrganization: [404],
  listOrganizations: [401],
  createOrganization: [400, 401, 403, 422],
  updateOrganization: [400, 401, 403, 404, 422],
  getOrganizationLogo: [404],
  getOrganizationLogoVersion: [404],
  setOrganizationLogo: [400, 401, 403, 404, 413, 422],
  removeOrganizationLogo: [401, 403, 404],
  getLegalText: [400, 404],
  getOrganizationDocument: [401, 403, 404],
  setOrganizationDocument: [400, 401, 403, 404, 422],
  removeOrganizationDocument: [401, 403, 404],
  listOrganizationMembers: [401, 403, 404],
  addOrganizationMember: [400, 401, 403, 404, 422, 429],
  updateOrganizationMember: [400, 401, 403, 404],
  removeOrganizationMember: [401, 403, 404],
  addOrganizationSite: [400, 401, 403, 404],
  removeOrganizationSite: [401, 403, 404],

  listApplications: [401, 403, 404],
  createApplication: [400, 401, 403, 404, 422],
  getApplication: [401, 403, 404],
  updateApplication: [400, 401, 403, 404, 422],
  replaceApplicationSecret: [401, 403, 404, 422],
  deleteApplication: [401, 403, 404],
  listTeamInvitations: [401, 403],
  acceptTeamInvitation: [401, 403, 404],
  declineTeamInvitation: [401, 403, 404],
  listConnections: [401, 403],
  endConnection: [401, 403, 404],
  listSiteConnections: [401, 403, 404],
  endSiteConnection: [401, 403, 404],

  requestActivation: [400, 401, 403, 404, 422, 429],
  listActivationRequests: [401, 403],
  declineActivationRequest: [401, 403, 404],
  createActivationCode: [400, 401, 403, 404, 422],
  listActivationCodes: [401, 403, 404],
  revokeActivationCode: [401, 403, 404],
  createServiceActivationCode: [400, 401, 403, 422],
  listServiceActivationCodes: [401, 403],
  revokeServiceActivationCode: [401, 403, 404],
  listDevices: [401, 403],
  getDevice: [401, 403, 404, 429],
  provisionDevice: [400, 401, 403, 422],
  activateDevice: [400, 401, 403, 404, 422, 429],
  revokeDevice: [401, 403, 404, 429],
  restoreDevice: [401, 403, 404, 429],

  listProxies: [401, 403],
  drainProxy: [401, 403, 404],
  undrainProxy: [401, 403, 404],
  forgetProxy: [401, 403, 404, 422],

  listSiteAudit: [401, 403, 404],
  listOrganizationAudit: [401, 403, 404],
  listOwnAudit: [401, 403],
  listAudit: [401, 403],
};
