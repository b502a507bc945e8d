import { SCOPE_TEXTS } from '../../account/scope-texts.ts';
import { ROLE_TEXTS } from '../../organization/roles.ts';

/** What each detail of a record is called, by the name that the record has for it. */
export const DETAIL_NAMES = {
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

/** What each value is called, of details that have a few. */
export const VALUE_TEXTS = {
  role: ROLE_TEXTS,
  former_role: ROLE_TEXTS,
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

/** What each scope allows, in the texts of the account. */
export const SCOPES: Readonly<Record<string, (typeof SCOPE_TEXTS)[keyof typeof SCOPE_TEXTS]>> = SCOPE_TEXTS;

/** The words of one of those values; undefined for what a newer service may record. */
export function valueText(name: string, value: unknown): ValueText | undefined {
  if (typeof value !== 'string' || !Object.hasOwn(VALUE_TEXTS, name)) return undefined;
  const texts: Readonly<Record<string, ValueText>> = VALUE_TEXTS[name as keyof typeof VALUE_TEXTS];
  return Object.hasOwn(texts, value) ? texts[value] : undefined;
}

type Texts = (typeof VALUE_TEXTS)[keyof typeof VALUE_TEXTS];
type ValueText = Texts extends infer T ? (T extends unknown ? T[keyof T] : never) : never;

export function isKnownDetail(name: string): name is keyof typeof DETAIL_NAMES {
  return Object.hasOwn(DETAIL_NAMES, name);
}
