import type { Delegation, DelegationsQuery, EndDelegationsQuery } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { SiteAccess } from '../../access/site-access.ts';
import type { NotificationService } from '../../alerting/notifications/service.ts';
import type { WebhookService } from '../../alerting/webhooks/service.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import { removeDelegation, resumeDelegations, suspendOnDevices } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import { tokenSource } from '../../db/site-tokens.ts';
import type { ActivationCodeService } from '../../devices/activation/service.ts';
import type { ApplicationKey } from '../../oauth/applications/records.ts';
import type { OrganizationService } from '../../organizations/organizations/service.ts';
import type { OrganizationSiteService } from '../../organizations/shared-sites/service.ts';
import { revokeGrants } from '../../sites/connections/service.ts';
import {
  type DelegationRecord,
  decidedBy,
  delegationsWhere,
  deviceDelegationsOf,
  deviceDelegationsWhere,
  presentDelegation,
} from './records.ts';

export interface DelegationServiceOptions {
  readonly db: Database;
  readonly access: SiteAccess;
  readonly organizations: Pick<OrganizationService, 'requireManager'>;
  readonly webhooks: Pick<WebhookService, 'removeIn'>;
  readonly applications: {
    removeIn(tx: Database, caller: Caller, key: ApplicationKey): Promise<void>;
  };
  readonly codes: Pick<ActivationCodeService, 'revokeIn'>;
  readonly shares: Pick<OrganizationSiteService, 'removeIn'>;
  readonly notifications: Pick<NotificationService, 'removeChannelIn'>;
  readonly clock: Clock;
}

/** Rights to act later on behalf of accounts, organizations and sites: their authors, and their end. */
export class DelegationService {
  readonly #options: DelegationServiceOptions;

  constructor(options: DelegationServiceOptions) {
    this.#options = options;
  }

  /** @throws NotFound; Forbidden for an organization that the caller does not manage */
  async list(caller: Caller, { organization_id: organizationId }: DelegationsQuery): Promise<Delegation[]> {
    if (organizationId === undefined) {
      const ofDevices = await deviceDelegationsWhere(this.#options.db, deviceDelegationsOf(caller));
      return [...(await this.#find(ofAccount(caller))).map(presentDelegation), ...ofDevices];
    }
    await this.#options.organizations.requireManager(caller, organizationId);
    const ofOrganization = sql<SqlBool>`delegations.organization_id = ${organizationId}
      and delegations.user_id is null and delegations.kind <> 'share'`;
    return (await this.#find(ofOrganization)).map(presentDelegation);
  }

  /** @throws NotFound unless the caller decides about it */
  async end(caller: Caller, id: number): Promise<void> {
    const [found] = await this.#find(sql`delegations.id = ${id} and ${decidedBy(caller)}`);
    await this.#end(caller, orNotFound(found));
  }

  /** The account's own and those that it made; each of other people's is ended on its own. @returns their number */
  async endAll(caller: Caller, { token_id: tokenId }: EndDelegationsQuery): Promise<number> {
    const which =
      tokenId === undefined
        ? ownOrMade(caller)
        : sql<SqlBool>`delegations.token_id = ${tokenId} and delegations.author_id = ${caller.userId}
          and ${decidedBy(caller)}`;
    if (tokenId !== undefined) await this.#suspendOnDevices(caller, tokenId);
    const ended = await this.#endEach(caller, await this.#find(which));
    if (tokenId !== undefined) await this.#mailLeft(caller, tokenId);
    return ended;
  }

  /** Mails others what the token made outside of the organization of the session, which stays suspended. */
  async #mailLeft({ userId }: Caller, tokenId: number): Promise<void> {
    await this.#options.db
      .updateTable('delegations')
      .set({ mailed_at: null })
      .where('token_id', '=', tokenId)
      .where('author_id', '=', userId)
      .where('suspended_for', '=', 'token')
      .execute();
  }

  async #suspendOnDevices(caller: Caller, tokenId: number): Promise<void> {
    const { db, clock } = this.#options;
    const which = sql<SqlBool>`device_delegations.source = ${tokenSource(tokenId)}
      and device_delegations.user_id = ${caller.userId}`;
    await db
      .transaction()
      .execute((tx) => suspendOnDevices(tx, actorOf(caller), which, 'token', new Date(clock.now())));
  }

  /** @throws NotFound unless it is suspended and the caller decides about it */
  keep(caller: Caller, id: number): Promise<Delegation> {
    return this.#keep(caller, sql`delegations.id = ${id} and ${decidedBy(caller)}`);
  }

  /** For the household and operators. @throws NotFound; Forbidden */
  async listOfSite(caller: Caller, siteId: number): Promise<Delegation[]> {
    await this.#options.access.require(caller, siteId, 'connections');
    const ofDevice = await deviceDelegationsWhere(this.#options.db, sql`sites.id = ${siteId}`);
    return [...(await this.#find(ofSite(siteId))).map(presentDelegation), ...ofDevice];
  }

  /** @throws NotFound; Forbidden */
  async endOfSite(caller: Caller, siteId: number, id: number): Promise<void> {
    await this.#options.access.require(caller, siteId, 'connections');
    const [found] = await this.#find(sql`delegations.id = ${id} and ${ofSite(siteId)}`);
    await this.#end(caller, orNotFound(found));
  }

  /** @returns their number @throws NotFound; Forbidden */
  async endAllOfSite(caller: Caller, siteId: number): Promise<number> {
    await this.#options.access.require(caller, siteId, 'connections');
    return this.#endEach(caller, await this.#find(ofSite(siteId)));
  }

  /** @throws NotFound unless it is suspended; Forbidden for others than the household */
  async keepOfSite(caller: Caller, siteId: number, id: number): Promise<Delegation> {
    await this.#options.access.require(caller, siteId, 'grant');
    return this.#keep(
      caller,
      sql`delegations.id = ${id} and ${ofSite(siteId)} and delegations.kind = 'share'`,
    );
  }

  async #keep(caller: Caller, which: RawBuilder<SqlBool>): Promise<Delegation> {
    const { db, clock } = this.#options;
    const found = orNotFound((await this.#find(sql`${which} and delegations.suspended_at is not null`))[0]);
    await db.transaction().execute(async (tx) => {
      const at = new Date(clock.now());
      await resumeDelegations(tx, actorOf(caller), sql`delegations.id = ${found.id}`, at);
      await this.#record(tx, caller, 'delegation.kept', found);
    });
    return presentDelegation(orNotFound((await this.#find(sql`delegations.id = ${found.id}`))[0]));
  }

  async #endEach(caller: Caller, found: readonly DelegationRecord[]): Promise<number> {
    for (const record of found) await this.#end(caller, record);
    return found.length;
  }

  /** Each in a transaction of its own, as the operation of its kind ends it. */
  async #end(caller: Caller, record: DelegationRecord): Promise<void> {
    const { webhooks, applications, codes, shares, notifications, clock, db } = this.#options;
    const { kind, webhookId, clientId, activationCodeId, grantId, organizationId, siteId, userId } = record;
    await db.transaction().execute(async (tx) => {
      if (kind === 'webhook' && webhookId !== null) await webhooks.removeIn(tx, caller, webhookId);
      else if (kind === 'application' && clientId !== null && organizationId !== null)
        await applications.removeIn(tx, caller, { organizationId, clientId });
      else if (kind === 'activation_code' && activationCodeId !== null)
        await codes.revokeIn(tx, actorOf(caller), 'anyone', activationCodeId);
      else if (kind === 'share' && organizationId !== null && siteId !== null)
        await shares.removeIn(tx, caller, { organizationId, siteId });
      else if (kind === 'connection' && grantId !== null)
        await revokeGrants(tx, sql<SqlBool>`oauth_grants.id = ${grantId}`, actorOf(caller), clock);
      else if (userId !== null) await notifications.removeChannelIn(tx, caller, userId, record);
      await removeDelegation(tx, subjectOf(record));
    });
  }

  #find(which: RawBuilder<SqlBool>): Promise<DelegationRecord[]> {
    return delegationsWhere(this.#options.db, which, new Date(this.#options.clock.now()));
  }

  #record(
    tx: Database,
    caller: Caller,
    action: 'delegation.kept',
    { kind, name, organizationId, siteId, userId }: DelegationRecord,
  ): Promise<void> {
    const details = { kind, name };
    const event = { action, organizationId, siteId, userId, details };
    return recordAudit(tx, actorOf(caller), new Date(this.#options.clock.now()), event);
  }
}

/** Its own, those that it made, and those that wait for its decision: of operators none of other people's. */
function ofAccount(caller: Caller): RawBuilder<SqlBool> {
  const inPerson = decidedBy({ ...caller, staff: false });
  return sql`(${ownOrMade(caller)} or ${inPerson} and delegations.suspended_at is not null)`;
}

function ownOrMade(caller: Caller): RawBuilder<SqlBool> {
  const { userId } = caller;
  return sql`(${decidedBy(caller)} and (delegations.user_id = ${userId} or delegations.author_id = ${userId}))`;
}

function ofSite(siteId: number): RawBuilder<SqlBool> {
  return sql`delegations.site_id = ${siteId}`;
}

function subjectOf(record: DelegationRecord) {
  const { kind, webhookId, clientId, activationCodeId, grantId, pushSubscriptionId } = record;
  const { userId, organizationId, siteId } = record;
  return {
    ...{ kind, userId, organizationId, siteId },
    ...(webhookId !== null && { webhookId }),
    ...(clientId !== null && { clientId }),
    ...(activationCodeId !== null && { activationCodeId }),
    ...(grantId !== null && { grantId }),
    ...(pushSubscriptionId !== null && { pushSubscriptionId }),
  };
}
