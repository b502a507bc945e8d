import { ROLE_LABELS } from '../organization-roles.ts';
import { SCOPE_LABELS } from '../scope-labels.ts';

/** Labels of details, by their names in the audit log. */
export const DETAIL_LABELS = {
  name: 'branding.name',
  description: 'details.description',
  owner: 'details.owner',
  role: 'roles.title',
  former_role: 'details.formerRole',
  revoked_tokens: 'details.revokedTokens',
  ended_grants: 'details.endedGrants',
  client_id: 'credentials.id',
  scopes: 'details.scopes',
  redirect_uris: 'applications.redirectUris',
  kind: 'applications.kind',
  id: 'details.number',
  code_id: 'codes.code',
  uses: 'codes.uses',
  expires_at: 'details.expires',
  by: 'details.how',
  means: 'details.how',
  link: 'details.how',
  attempts: 'details.attempts',
  last_attempt: 'details.lastAttempt',
  with: 'details.how',
  factor: 'details.secondFactor',
  left: 'details.codesLeft',
  requires_second_factor: 'details.secondFactorRequired',
  staff: 'details.operator',
  locale: 'details.language',
  first_name: 'invite.firstName',
  last_name: 'invite.lastName',
  email: 'invite.email',
  phone_number: 'details.phone',
  kid: 'details.key',
  purpose: 'details.keyPurpose',
  state: 'details.keyState',
  signs_from: 'details.signsFrom',
  cloud_host: 'branding.host',
  cloud_host_vetted: 'details.hostConfirmed',
  color1: 'colors.first',
  color_dark1: 'colors.firstDark',
  color2: 'colors.second',
  color_dark2: 'colors.secondDark',
  logo: 'logo.title',
  terms: 'documents.terms',
  privacy: 'documents.privacy',
} as const;

const BECAME = {
  added: 'details.added',
  replaced: 'details.replaced',
  removed: 'details.removed',
} as const;

const FACTORS = {
  totp: 'details.totp',
  passkey: 'details.passkey',
  recovery_code: 'details.recoveryCode',
  enrolment: 'details.newSecondFactor',
  handed_over: 'details.handedOver',
} as const;

const LINKS = { reset: 'details.resetLink', invite: 'details.invitation' } as const;

/** Labels of the values of details that have a few. */
export const VALUE_LABELS = {
  role: ROLE_LABELS,
  former_role: ROLE_LABELS,
  means: {
    password: 'details.password',
    ...FACTORS,
    second_factor: 'details.secondFactor',
    pending_token: 'details.confirmation',
    confirmation: 'details.confirmation',
    session_token: 'details.handedOver',
    reset: LINKS.reset,
    invitation: LINKS.invite,
  },
  link: LINKS,
  factor: FACTORS,
  with: { code: 'details.code', passkey: FACTORS.passkey },
  by: { code: 'codes.code', policy: 'details.automatic', person: 'details.person' },
  kind: {
    api: 'details.apiToken',
    session: 'details.session',
    confidential: 'applications.server',
    public: 'applications.browser',
  },
  purpose: { sites: 'details.siteTokens', identity: 'details.identities' },
  state: { next: 'details.next', signing: 'details.signing', old: 'details.old' },
  logo: BECAME,
  terms: BECAME,
  privacy: BECAME,
} as const;

/** Labels of scopes, in the namespace `account`. */
export const SCOPES: Readonly<Record<string, (typeof SCOPE_LABELS)[keyof typeof SCOPE_LABELS]>> =
  SCOPE_LABELS;

/** The label of one of those values; undefined for a value that a newer service records. */
export function valueLabel(name: string, value: unknown): ValueLabel | undefined {
  if (typeof value !== 'string' || !Object.hasOwn(VALUE_LABELS, name)) return undefined;
  const texts: Readonly<Record<string, ValueLabel>> = VALUE_LABELS[name as keyof typeof VALUE_LABELS];
  return Object.hasOwn(texts, value) ? texts[value] : undefined;
}

type Labels = (typeof VALUE_LABELS)[keyof typeof VALUE_LABELS];
type ValueLabel = Labels extends infer T ? (T extends unknown ? T[keyof T] : never) : never;

export function isKnownDetail(name: string): name is keyof typeof DETAIL_LABELS {
  return Object.hasOwn(DETAIL_LABELS, name);
}
