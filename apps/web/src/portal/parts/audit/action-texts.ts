/** What happened, by the name that the record has for it. */
export const ACTION_TEXTS = {
  'account.registered': 'actions.accountRegistered',
  'account.registration_voided': 'actions.accountRegistrationVoided',
  'account.confirmed': 'actions.accountConfirmed',
  'account.signed_in': 'actions.accountSignedIn',
  'account.sign_in_failed': 'actions.accountSignInFailed',
  'account.locked_out': 'actions.accountLockedOut',
  'account.password_changed': 'actions.accountPasswordChanged',
  'account.created': 'actions.accountCreated',
  'account.changed': 'actions.accountChanged',
  'token.created': 'actions.tokenCreated',
  'token.revoked': 'actions.tokenRevoked',
  'organization.created': 'actions.organizationCreated',
  'organization.changed': 'actions.organizationChanged',
  'organization_member.added': 'actions.organizationMemberAdded',
  'organization_member.changed': 'actions.organizationMemberChanged',
  'organization_member.removed': 'actions.organizationMemberRemoved',
  'organization_site.added': 'actions.organizationSiteAdded',
  'organization_site.removed': 'actions.organizationSiteRemoved',
  'application.created': 'actions.applicationCreated',
  'application.changed': 'actions.applicationChanged',
  'application.secret_replaced': 'actions.applicationSecretReplaced',
  'application.deleted': 'actions.applicationDeleted',
  'grant.created': 'actions.grantCreated',
  'grant.ended': 'actions.grantEnded',
  'site.registered': 'actions.siteRegistered',
  'site.renamed': 'actions.siteRenamed',
  'site.described': 'actions.siteDescribed',
  'site.write_authorized': 'actions.siteWriteAuthorized',
  'site.ownership_transferred': 'actions.siteOwnershipTransferred',
  'site_member.added': 'actions.siteMemberAdded',
  'site_member.changed': 'actions.siteMemberChanged',
  'site_member.removed': 'actions.siteMemberRemoved',
  'device.provisioned': 'actions.deviceProvisioned',
  'device.enrolled': 'actions.deviceEnrolled',
  'device.activation_requested': 'actions.deviceActivationRequested',
  'device.activation_declined': 'actions.deviceActivationDeclined',
  'device.activated': 'actions.deviceActivated',
  'device.revoked': 'actions.deviceRevoked',
  'device.restored': 'actions.deviceRestored',
  'activation_code.created': 'actions.activationCodeCreated',
  'activation_code.revoked': 'actions.activationCodeRevoked',
  'signing_key.rotated': 'actions.signingKeyRotated',
  'signing_key.revoked': 'actions.signingKeyRevoked',
  'proxy.drain_wanted': 'actions.proxyDrainWanted',
  'proxy.drain_unwanted': 'actions.proxyDrainUnwanted',
  'proxy.forgotten': 'actions.proxyForgotten',
  'proxy.credential_created': 'actions.proxyCredentialCreated',
  'proxy.credential_revoked': 'actions.proxyCredentialRevoked',
} as const;

export type KnownAction = keyof typeof ACTION_TEXTS;

export const KNOWN_ACTIONS = Object.keys(ACTION_TEXTS) as KnownAction[];

/** Whether there are words for an action; a service that is newer than these pages may record others. */
export function isKnownAction(action: string): action is KnownAction {
  return Object.hasOwn(ACTION_TEXTS, action);
}
