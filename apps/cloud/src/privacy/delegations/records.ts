import type {
  Delegation,
  DelegationKind,
  DelegationSuspension,
  ReportedDelegation,
} from '@heliograph/contracts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { TokenKind } from '../../common/secrets/opaque-token.ts';
import type { Database } from '../../db/open.ts';

export interface DelegationRecord {
  readonly id: number;
  readonly kind: DelegationKind;
  readonly name: string;
  readonly url: string | null;
  readonly webhookId: number | null;
  readonly clientId: string | null;
  readonly activationCodeId: number | null;
  readonly grantId: string | null;
  readonly pushSubscriptionId: number | null;
  readonly userId: number | null;
  readonly organizationId: number | null;
  readonly organizationName: string | null;
  readonly siteId: number | null;
  readonly siteName: string | null;
  readonly authorId: number | null;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly tokenId: number | null;
  readonly tokenKind: TokenKind | null;
  readonly tokenName: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly suspendedAt: Date | null;
  readonly suspendedFor: DelegationSuspension | null;
}

/** Delegations that are not over, the newest first. @param which a condition on `delegations` and what it joins */
export async function delegationsWhere(
  db: Database,
  which: RawBuilder<SqlBool>,
  now: Date,
): Promise<DelegationRecord[]> {
  const { rows } = await sql<DelegationRecord>`
    select delegations.id, delegations.kind, delegations.webhook_id as "webhookId", delegations.client_id as "clientId",
      delegations.activation_code_id as "activationCodeId", delegations.grant_id as "grantId",
      delegations.push_subscription_id as "pushSubscriptionId", delegations.user_id as "userId",
      coalesce(webhooks.name, oauth_clients.name, oauth_grants.client_name, push_subscriptions.label,
        case when delegations.kind = 'share' then organizations.name end, '') as name,
      webhooks.url, organizations.id as "organizationId", organizations.name as "organizationName",
      sites.id as "siteId", sites.name as "siteName", authors.id as "authorId", authors.email,
      authors.first_name as "firstName", authors.last_name as "lastName", delegations.token_id as "tokenId",
      delegations.token_kind as "tokenKind", delegations.token_name as "tokenName",
      delegations.created_at as "createdAt", coalesce(oauth_grants.expires_at, activation_codes.expires_at) as "expiresAt",
      delegations.suspended_at as "suspendedAt", delegations.suspended_for as "suspendedFor"
    from delegations
    left join webhooks on webhooks.id = delegations.webhook_id
    left join oauth_clients on oauth_clients.client_id = delegations.client_id
    left join oauth_grants on oauth_grants.id = delegations.grant_id
    left join activation_codes on activation_codes.id = delegations.activation_code_id
    left join push_subscriptions on push_subscriptions.id = delegations.push_subscription_id
    left join organizations on organizations.id = coalesce(delegations.organization_id, oauth_grants.organization_id)
    left join sites on sites.id = delegations.site_id
    left join users as authors on authors.id = delegations.author_id
    where (${which})
      and (oauth_grants.id is null or (oauth_grants.revoked_at is null and oauth_grants.expires_at > ${now}))
      and (activation_codes.id is null or (activation_codes.uses_left > 0
        and (activation_codes.expires_at is null or activation_codes.expires_at > ${now})))
    order by delegations.id desc`.execute(db);
  return rows;
}

/** Delegations in the configurations of devices, as these report them. @param which a condition on `device_delegations` and their `sites` */
export async function deviceDelegationsWhere(
  db: Database,
  which: RawBuilder<SqlBool>,
): Promise<Delegation[]> {
  const { rows } = await sql<
    Omit<DelegationRecord, 'id' | 'kind'> & { readonly kind: ReportedDelegation['kind'] }
  >`
    select device_delegations.kind, device_delegations.subject as name, sites.id as "siteId", sites.name as "siteName",
      authors.id as "authorId", authors.email, authors.first_name as "firstName", authors.last_name as "lastName",
      case when authors.id is not null
        then substring(device_delegations.source from '^token:([0-9]{1,9})$')::integer end as "tokenId",
      device_delegations.token_kind as "tokenKind", tokens.name as "tokenName", device_delegations.set_at as "createdAt",
      device_delegations.suspended_at as "suspendedAt", device_delegations.suspended_for as "suspendedFor"
    from device_delegations
    join sites on sites.id = device_delegations.site_id
    -- A device can report any account and its credential: those of people of the site alone are shown.
    left join users as authors on authors.id = device_delegations.user_id and (sites.owner_id = authors.id
      or exists (select from site_members where site_id = sites.id and user_id = authors.id))
    left join tokens on 'token:' || tokens.id = device_delegations.source and tokens.user_id = authors.id
    where ${which} order by device_delegations.set_at desc, device_delegations.id`.execute(db);
  return rows.map(({ kind, ...row }) => {
    const none = { url: null, organizationId: null, organizationName: null, expiresAt: null } as const;
    return {
      ...presentDelegation({ ...row, ...none, id: 0, kind: 'share' }),
      id: null,
      kind: `device_${kind}`,
    };
  });
}

/** Those of devices that an account decides about: made by it, or suspended, on sites of its household. */
export function deviceDelegationsOf({ userId, organizationId }: Caller): RawBuilder<SqlBool> {
  return sql`(sites.owner_id = ${userId} or exists (select from site_members as members
      where members.site_id = sites.id and members.user_id = ${userId} and members.role in ('owner', 'admin')))
    and (device_delegations.user_id = ${userId} or device_delegations.suspended_at is not null)
    and (${organizationId}::integer is null or sites.organization_id = ${organizationId}::integer)`;
}

/** Those that a caller decides about: the account's own, an organization's for its managers, shares for the household. */
export function decidedBy({ userId, staff, organizationId }: Caller): RawBuilder<SqlBool> {
  const limit = sql`${organizationId}::integer`;
  return sql`((delegations.user_id = ${userId}
      or (delegations.user_id is null and delegations.kind = 'share' and exists (
        select from sites as shared left join site_members as members
          on members.site_id = shared.id and members.user_id = ${userId}
        where shared.id = delegations.site_id and (shared.owner_id = ${userId} or members.role in ('owner', 'admin'))
          and (${limit} is null or shared.organization_id = ${limit})))
      or (delegations.user_id is null and delegations.kind <> 'share' and (${staff} or exists (
        select from organization_members as employees where employees.organization_id = delegations.organization_id
          and employees.user_id = ${userId} and employees.role in ('owner', 'admin')))))
    and (${limit} is null or delegations.kind = 'share'
      or coalesce(delegations.organization_id, webhooks.limited_to_organization_id, oauth_grants.organization_id) = ${limit}))`;
}

export function presentDelegation(record: DelegationRecord): Delegation {
  const { organizationId, siteId, authorId, tokenId, tokenKind, suspendedAt } = record;
  return {
    id: record.id,
    kind: record.kind,
    name: record.name,
    url: record.url,
    organization:
      organizationId === null ? null : { id: organizationId, name: record.organizationName ?? '' },
    site: siteId === null ? null : { id: siteId, name: record.siteName },
    author:
      authorId === null
        ? null
        : {
            id: authorId,
            email: record.email ?? '',
            first_name: record.firstName ?? '',
            last_name: record.lastName ?? '',
          },
    credential:
      tokenId === null || tokenKind === null
        ? null
        : { id: tokenId, kind: tokenKind, name: record.tokenName },
    state: suspendedAt === null ? 'active' : 'suspended',
    suspended_at: suspendedAt?.toISOString() ?? null,
    suspended_for: record.suspendedFor,
    created_at: record.createdAt.toISOString(),
    expires_at: record.expiresAt?.toISOString() ?? null,
  };
}
