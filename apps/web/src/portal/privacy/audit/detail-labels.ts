import type {
  ProductState,
  TaxCategory,
  TicketCategory,
  TicketPriority,
  TicketState,
} from '@heliograph/contracts';
import { AUDIT_DETAILS, type AuditDetail } from '@heliograph/contracts/audit-actions';
import { SCOPE_LABELS } from '../../access/scope-labels.ts';
import { ROLE_LABELS } from '../../ui/organization-roles.ts';

const BECAME = {
  added: 'values.added',
  replaced: 'values.replaced',
  removed: 'values.removed',
} as const;

const FACTORS = {
  totp: 'values.totp',
  passkey: 'values.passkey',
  recovery_code: 'values.recoveryCode',
  enrolment: 'values.newSecondFactor',
  handed_over: 'values.handedOver',
} as const;

const LINKS = { reset: 'values.resetLink', invite: 'values.invitation' } as const;

const TICKET_STATES = {
  open: 'tickets:states.open',
  pending: 'tickets:states.pending',
  resolved: 'tickets:states.resolved',
  closed: 'tickets:states.closed',
} as const satisfies Record<TicketState, string>;

const PRODUCT_STATES = {
  draft: 'staff:catalogue.states.draft',
  active: 'staff:catalogue.states.active',
  archived: 'staff:catalogue.states.archived',
} as const satisfies Record<ProductState, string>;

const TICKET_PRIORITIES = {
  low: 'staff:tickets.priorities.low',
  normal: 'staff:tickets.priorities.normal',
  high: 'staff:tickets.priorities.high',
  urgent: 'staff:tickets.priorities.urgent',
} as const satisfies Record<TicketPriority, string>;

const TICKET_CATEGORIES = {
  technical: 'tickets:categories.technical',
  billing: 'tickets:categories.billing',
  activation: 'tickets:categories.activation',
  account: 'tickets:categories.account',
  other: 'tickets:categories.other',
} as const satisfies Record<TicketCategory, string>;

const TAX_CATEGORIES = {
  standard: 'values.taxStandard',
  reduced: 'values.taxReduced',
  exempt: 'values.taxExempt',
} as const satisfies Record<TaxCategory, string>;

/** Labels of the values of details that have a few, in the namespace `organization` unless they name another. */
export const VALUE_LABELS = {
  role: ROLE_LABELS,
  former_role: ROLE_LABELS,
  means: {
    password: 'values.password',
    ...FACTORS,
    second_factor: 'values.secondFactor',
    pending_token: 'values.confirmation',
    confirmation: 'values.confirmation',
    session_token: 'values.handedOver',
    reset: LINKS.reset,
    invitation: LINKS.invite,
  },
  link: LINKS,
  factor: FACTORS,
  with: { code: 'values.code', passkey: FACTORS.passkey },
  by: { code: 'codes.code', policy: 'values.automatic', person: 'values.person' },
  kind: {
    api: 'values.apiToken',
    session: 'values.session',
    confidential: 'applications.server',
    public: 'applications.browser',
  },
  purpose: { sites: 'values.siteTokens', identity: 'values.identities' },
  state: {
    next: 'values.next',
    signing: 'values.signing',
    old: 'values.old',
    ...TICKET_STATES,
    ...PRODUCT_STATES,
  },
  priority: TICKET_PRIORITIES,
  category: TICKET_CATEGORIES,
  tax_category: TAX_CATEGORIES,
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

export function isKnownDetail(name: string): name is AuditDetail {
  return (AUDIT_DETAILS as readonly string[]).includes(name);
}
