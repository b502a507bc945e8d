import type { AuditEntry, AuditQuery, OrganizationAuditQuery, PageQuery } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import type { SiteAccess } from '../../access/site-access.ts';
import { pageFrom } from '../../db/page.ts';
import {
  organizationPermissions,
  requireManager,
  requireOperator,
} from '../../organizations/organizations/policy.ts';
import { presentAuditEntry, presentOwnAuditEntry } from './present.ts';
import { AUDIT_FILTERS, type AuditCondition, type AuditRepository } from './repository.ts';

export class AuditService {
  readonly #events: AuditRepository;
  readonly #access: SiteAccess;

  constructor(events: AuditRepository, access: SiteAccess) {
    this.#events = events;
    this.#access = access;
  }

  /** Events of a site, for its managers. @throws NotFound; Forbidden */
  async ofSite(caller: Caller, siteId: number, page: PageQuery): Promise<AuditEntry[]> {
    await this.#access.require(caller, siteId, 'audit');
    return this.#list(caller, [{ column: 'site_id', value: siteId }], page);
  }

  /** Events of an organization, for its owners and admins. @throws NotFound; Forbidden */
  async ofOrganization(
    caller: Caller,
    organizationId: number,
    query: OrganizationAuditQuery,
  ): Promise<AuditEntry[]> {
    const role = await this.#events.organizationRole(organizationId, caller.userId);
    if (role === undefined) throw new NotFound();
    requireManager(organizationPermissions(caller, organizationId, role));
    const ofIt = { column: 'organization_id', value: organizationId } as const;
    return this.#list(caller, [ofIt, ...conditionsOf(query)], query);
  }

  /** Events of the caller's account, without names and addresses of other actors. */
  async ofCaller(caller: Caller, page: PageQuery): Promise<AuditEntry[]> {
    const records = await this.#events.ofAccount(caller, pageFrom(page));
    return records.map((record) => presentOwnAuditEntry(record, caller));
  }

  /** All events, for operators. @throws Forbidden */
  async all(caller: Caller, query: AuditQuery): Promise<AuditEntry[]> {
    requireOperator(caller);
    return this.#list(caller, conditionsOf(query), query);
  }

  async #list(
    { locale }: Caller,
    conditions: readonly AuditCondition[],
    query: PageQuery,
  ): Promise<AuditEntry[]> {
    const found = await this.#events.list(conditions, pageFrom(query));
    return found.map((record) => presentAuditEntry(record, locale));
  }
}

function conditionsOf(query: AuditQuery): AuditCondition[] {
  return AUDIT_FILTERS.flatMap((column) => {
    const value = query[column];
    return value === undefined ? [] : [{ column, value }];
  });
}
