import type { DeviceDelegationKind, Scope } from '@heliograph/contracts';

/** A change of an account's second factor. `name`: of the passkey; `left`: number of recovery codes. */
export type SecondFactorMail =
  | { readonly event: 'passkey_added' | 'passkey_removed'; readonly name: string }
  | { readonly event: 'app_added' | 'app_removed' | 'codes_made' | 'reset' }
  | { readonly event: 'code_used'; readonly left: number };

/** The last three are for the seller. */
export type OrderEvent =
  | 'placed'
  | 'paid'
  | 'shipped'
  | 'completed'
  | 'cancelled'
  | 'refunded'
  | 'sold'
  | 'withdrawn'
  | 'excess';

/** A mail to be written. It names its reader; the link in it is made when it is sent, so no job holds a secret. */
export type MailJob =
  /** The address of a new account is to be confirmed. */
  | { readonly kind: 'confirmation'; readonly userId: number; readonly organizationId: number | null }
  /** An account asks for this address in place of its own, which is to be confirmed. */
  | {
      readonly kind: 'emailChange';
      readonly userId: number;
      readonly organizationId: number | null;
      readonly email: string;
    }
  /** A new password was requested for this address, which may have no account. */
  | { readonly kind: 'reset'; readonly email: string; readonly organizationId: number | null }
  /** The second factor of an account has changed, or a recovery code stood in for it. */
  | ({ readonly kind: 'second_factor'; readonly userId: number } & SecondFactorMail)
  /** A new account has yet to set its first password: it is invited to a site, or to an organization's team. */
  | {
      readonly kind: 'invitation';
      readonly userId: number;
      readonly organizationId: number | null;
      readonly siteId: number | null;
      readonly invitedBy: number | null;
    }
  /** An account that has a password is invited to an organization's team. */
  | {
      readonly kind: 'teamInvitation';
      readonly userId: number;
      readonly organizationId: number;
      readonly invitedBy: number | null;
    }
  /** An account that has a password was made a member of a site, and may accept or decline. */
  | {
      readonly kind: 'siteAccess';
      readonly userId: number;
      readonly organizationId: number | null;
      readonly siteId: number;
      /** Null for an operator of the service. */
      readonly actorId: number | null;
    }
  /** An account without a role on a site, which looks after it, let another read it, or ended that. For the owner. */
  | {
      readonly kind: 'readerChanged';
      readonly userId: number;
      readonly change: 'added' | 'removed';
      readonly personId: number;
      /** The person had not accepted it. */
      readonly isPending?: boolean;
      readonly organizationId: number | null;
      readonly siteId: number;
      /** Null for an operator of the service. */
      readonly actorId: number | null;
      /** When it happened, ISO 8601. */
      readonly at: string;
    }
  /** An account reached the limit of access to sites of others that it, or its organization, may give. For operators of the service. */
  | {
      readonly kind: 'accessLimit';
      readonly userId: number;
      readonly organizationId: null;
      readonly actorId: number;
      /** The limit of the account or of its organization: how often in a day. */
      readonly count: number;
    }
  /** An organization requires a second factor of its people, or no longer does. For its owners. */
  | {
      readonly kind: 'secondFactorRule';
      readonly userId: number;
      readonly isRequired: boolean;
      readonly organizationId: number;
      /** Null for an operator of the service. */
      readonly actorId: number | null;
      /** When it happened, ISO 8601. */
      readonly at: string;
    }
  /** The author of what lets others write settings of a site may not do so any more. For the owner. */
  | {
      readonly kind: 'delegationSuspended';
      readonly userId: number;
      readonly organizationId: number | null;
      readonly siteId: number;
      readonly delegations: readonly { readonly kind: DeviceDelegationKind; readonly subject: string }[];
    }
  /** A site has another owner. */
  | {
      readonly kind: 'ownership';
      readonly userId: number;
      /** Whether the reader is the new owner or the former one. */
      readonly reader: 'new' | 'former';
      readonly newOwnerId: number;
      /** The new owner had not accepted a role on the site. */
      readonly isPending?: boolean;
      readonly organizationId: number | null;
      readonly siteId: number;
      /** Null for an operator of the service. */
      readonly actorId: number | null;
      /** When it happened, ISO 8601. */
      readonly at: string;
    }
  /** The handover of a site is final soon. For the former owner. */
  | {
      readonly kind: 'transferDue';
      readonly userId: number;
      readonly organizationId: number | null;
      readonly siteId: number;
    }
  /** A new owner accepted a site, it went back to the former one, or neither happened in time. */
  | {
      readonly kind: 'transferEnded';
      readonly userId: number;
      readonly reader: 'new' | 'former';
      /** `kept`: accepted by an owner who keeps the former one as an admin. */
      readonly outcome: 'accepted' | 'kept' | 'declined' | 'recalled' | 'final';
      readonly newOwnerId: number;
      readonly isPending: boolean;
      readonly organizationId: number | null;
      readonly siteId: number;
      /** Null for the service. */
      readonly actorId: number | null;
      /** When it happened, ISO 8601. */
      readonly at: string;
    }
  /** A site was released: its row is gone, so the job has its name. */
  | {
      readonly kind: 'siteReleased';
      readonly userId: number;
      readonly reader: 'owner' | 'member';
      readonly organizationId: number | null;
      /** Null for a site without a name. */
      readonly siteName: string | null;
      readonly siteId: number;
      /** The device whose registration code the owner gets; null for members, and without one. */
      readonly deviceUid: string | null;
      /** Null for the operator's console. */
      readonly actorId: number | null;
      /** When it happened, ISO 8601. */
      readonly at: string;
    }
  /** Something happened to an order. */
  | {
      readonly kind: 'order';
      readonly event: OrderEvent;
      readonly userId: number;
      /** The seller; null for the operator's own shop. */
      readonly organizationId: number | null;
      readonly orderId: number;
      /** The money that the mail is about, such as `USD 229.00`, where it is not the whole order's. */
      readonly amount: string | null;
    }
  /** Something happened to a ticket. */
  | {
      readonly kind: 'ticket';
      /** `received` is for the requester; `opened`, `noted` and `assigned` are for those who handle it. */
      readonly event: 'received' | 'opened' | 'replied' | 'noted' | 'assigned' | 'resolved';
      readonly userId: number;
      readonly reader: 'requester' | 'handler';
      readonly organizationId: number | null;
      readonly ticketId: number;
      /** The message that the mail is about. */
      readonly messageId: number | null;
    }
  /** Support asks to be let in at a site, was let in, or is out again. */
  | {
      readonly kind: 'recovery';
      readonly event:
        | 'asked'
        | 'askedByProgram'
        | 'opened'
        | 'declined'
        | 'extended'
        | 'ended'
        | 'passwordRemoved';
      readonly userId: number;
      /** The site's organization. */
      readonly organizationId: number | null;
      readonly sessionId: number;
    }
  /** Alerts and outages that a person chose to know of; what is no news any more when it is sent is left out. */
  | {
      readonly kind: 'alerts';
      readonly userId: number;
      readonly organizationId: number | null;
      readonly notificationIds: readonly string[];
      /** One of them is about a critical alert, or an outage that began. */
      readonly isCritical?: boolean;
    }
  /** A security event of an account that its owner should know of. */
  | (AccountNotice & { readonly userId: number; readonly organizationId: number | null });

/** A security event of an account, its time (ISO 8601) and the client's address. */
export type AccountNotice = { readonly at: string; readonly address: string | null } & (
  | { readonly kind: 'passwordChanged' | 'deletionCancelled' | 'exportReady' }
  /** `dueAt`: when the account is deleted, ISO 8601. */
  | { readonly kind: 'deletionRequested'; readonly dueAt: string }
  | { readonly kind: 'organizationClosed'; readonly name: string }
  /** `name`: of the site; `organization`: the name of its new one, or for `siteLeft` of its former one. */
  | { readonly kind: 'siteMoved' | 'siteLeft'; readonly name: string; readonly organization: string }
  /** `name`: of the site whose device was restored on another computer, or replaced by another device. */
  | { readonly kind: 'deviceRecovered' | 'deviceReplaced'; readonly name: string }
  /** `name`: of the webhook that the service switched off. */
  | { readonly kind: 'webhookEnded'; readonly name: string }
  /** `name`: of a webhook that was made. */
  | { readonly kind: 'webhookCreated'; readonly name: string }
  /** `name`: of the site that an application shared with its organization. */
  | { readonly kind: 'siteShared'; readonly name: string; readonly organization: string }
  /** `name`: of the browser whose messages another account takes now. */
  | { readonly kind: 'pushMoved'; readonly name: string }
  /** `name`: of what lost its author, apart by commas. For those who decide about it. */
  | { readonly kind: 'delegationsSuspended'; readonly name: string }
  | { readonly kind: 'tokenCreated'; readonly name: string; readonly scopes: readonly Scope[] }
  | { readonly kind: 'unknownNetwork' }
  | {
      readonly kind: 'emailChangeRequested' | 'emailChanged';
      /** The address that is mailed. */
      readonly formerEmail: string;
      readonly newEmail: string;
    }
);

const KINDS: Readonly<Record<MailJob['kind'], true>> = {
  confirmation: true,
  emailChange: true,
  reset: true,
  second_factor: true,
  invitation: true,
  teamInvitation: true,
  siteAccess: true,
  readerChanged: true,
  accessLimit: true,
  secondFactorRule: true,
  delegationSuspended: true,
  ownership: true,
  transferDue: true,
  transferEnded: true,
  siteReleased: true,
  order: true,
  ticket: true,
  recovery: true,
  alerts: true,
  passwordChanged: true,
  deletionCancelled: true,
  exportReady: true,
  deletionRequested: true,
  organizationClosed: true,
  siteMoved: true,
  siteLeft: true,
  deviceRecovered: true,
  deviceReplaced: true,
  webhookEnded: true,
  webhookCreated: true,
  siteShared: true,
  pushMoved: true,
  delegationsSuspended: true,
  tokenCreated: true,
  unknownNetwork: true,
  emailChangeRequested: true,
  emailChanged: true,
};

/** False for a mail that a newer release queued, and for a damaged one. */
export function isMailJob(payload: unknown): payload is MailJob {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    'kind' in payload &&
    Object.hasOwn(KINDS, String(payload.kind))
  );
}
