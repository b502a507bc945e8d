import { expect, it } from 'vitest';
import type { Operation } from '../common/operation.ts';
import { DELEGATION_KINDS, type DelegationKind } from '../privacy/delegations.ts';
import { cloudOperations } from './cloud.ts';
import { deviceOperations } from './device.ts';
import { portalOperations } from './portal.ts';

const PUBLISHED = { ...cloudOperations, ...portalOperations };

/** Operations that make something which acts later on behalf of its author: each is a delegation, and ends with the right of its author. */
const DELEGATE: Readonly<Record<string, readonly DelegationKind[]>> = {
  createWebhook: ['webhook'],
  updateWebhook: ['webhook'],
  replaceWebhookSecret: ['webhook'],
  replayWebhook: ['webhook'],
  addOrganizationSite: ['share'],
  createApplication: ['application'],
  updateApplication: ['application'],
  replaceApplicationSecret: ['application'],
  createActivationCode: ['activation_code'],
  createServiceActivationCode: ['activation_code'],
  allowConsent: ['connection'],
  addPushSubscription: ['push'],
  changeNotificationSettings: ['ntfy', 'telegram'],
  keepDelegation: [...DELEGATION_KINDS],
  keepSiteDelegation: [...DELEGATION_KINDS],
};

/** Operations that give access to a person, a device or a browser, which is listed with it and loses it as people do. */
const GIVE_ACCESS = `
  signIn register confirmUser resetPassword setPassword handOverSession confirmEmailChange createIdToken createToken
  confirmAuthenticatorApp addPasskey replaceRecoveryCodes showSecondFactor confirmSession
  joinOrganization registerSite replaceSiteDevice authorizeSite inviteSiteMember updateSiteMember recallSite acceptSiteInvitation moveSite
  addOrganizationMember updateOrganizationMember acceptTeamInvitation createOrganization
  openRecoverySession approveRecoverySession extendRecoverySession
  provisionDevice activateDevice restoreDevice requestActivation
  signInToPortal signInWithPasskey chooseResetPassword chooseFirstPassword confirmEmail`;

/** Operations that have done everything with their answer, or change what belongs to an account, a site or an organization, and not to the one who changes it. */
const LEAVES_NOTHING = `
  describePendingSignIn requestPasswordReset requestEmailChange describeSessionConfirmation requestAccountDeletion
  startAuthenticatorApp startPasskey startPasskeySignIn signOutOfPortal checkResetLink checkHandover checkInvitationLink
  checkConfirmationLink checkEmailChangeLink
  updateCurrentUser updateProfile setSiteViews requestExport denyConsent
  renameSite describeSite setSiteHistoryConsent setSiteUpdates setSiteTags setSiteInstallation probeSite setOfflineAlert
  changeSiteAlert updateOrganization setOrganizationLogo setOrganizationDocument previewCatalogue importCatalogue
  markOrderPaid placeOrder cancelOwnOrder payOrder createOrderActivationCode
  createUpload createTicket updateTicket replyToTicket replyToOwnTicket resolveOwnTicket
  declineRecoverySession testWebhook testNotifications unsubscribeFromMails revokeDevice drainProxy undrainProxy`;

/** Operations of the device that let others write settings later; `apps/device/src/config/delegations` has their fields. */
const DEVICE_DELEGATES = ['changeConfiguration', 'keepDelegation'];

const DEVICE_LEAVES_NOTHING = `
  setMetric setTariffs changeAlert setAlertRules testNotificationReceivers startProbe changeSupport restartDevice
  createBackup startCloudBackup uploadRestorePart restoreBackup startStore signIn setFirstPassword changePassword`;

function changing(operations: Readonly<Record<string, Operation>>): string[] {
  return Object.values(operations)
    .filter(({ route }) => /^(?:POST|PUT|PATCH) /.test(route))
    .map(({ id }) => id);
}

const namesIn = (text: string): string[] => text.trim().split(/\s+/);

it('each operation that changes something is known to delegate, to give access, or to leave nothing that acts later', () => {
  const known = [...Object.keys(DELEGATE), ...namesIn(GIVE_ACCESS), ...namesIn(LEAVES_NOTHING)];
  expect(changing(PUBLISHED).toSorted()).toEqual(known.toSorted());
});

it('each kind of delegation has an operation that makes it', () => {
  const made = Object.entries(DELEGATE).filter(([id]) => !id.startsWith('keep'));
  expect(new Set(made.flatMap(([, kinds]) => kinds))).toEqual(new Set(DELEGATION_KINDS));
});

it('each operation of a device that changes something is known to let others write later, or not', () => {
  const known = [...DEVICE_DELEGATES, ...namesIn(DEVICE_LEAVES_NOTHING)];
  expect(changing(deviceOperations).toSorted()).toEqual(known.toSorted());
});
