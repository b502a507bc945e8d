import { randomUUID } from 'node:crypto';
import {
  type AuditAction,
  EVENT_DAYS,
  MAX_WEBHOOKS,
  WEBHOOK_SECRET_OVERLAP_HOURS,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
} from '@heliograph/contracts';
import { Forbidden, NotFound, Unprocessable, ValidationError } from '@heliograph/kit';
import { type SqlBool, sql, type Updateable } from 'kysely';
import { actorOf, type Caller, requireFreshSignIn } from '../../access/caller.ts';
import type { RateRule } from '../../common/limits/rate-limits.ts';
import { recordAudit } from '../../db/audit.ts';
import { addDelegation, changeAuthor, removeDelegation } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import { pageFrom } from '../../db/page.ts';
import type { Schema } from '../../db/schema.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { requireOrganizationManager } from '../../organizations/organizations/roles.ts';
import type { Platform, ServerPlatform } from '../../platform.ts';
import { endOfFeed, positionBefore } from '../events/service.ts';
import { Delivery, isSuccess } from './delivery.ts';
import { presentWebhook, presentWithSecret, readersOf, type WebhookRow } from './records.ts';
import type { WebhookSecrets } from './secrets.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Messages that people send by hand. */
const TESTS: RateRule = { name: 'webhook-tests', points: 20, durationS: 60 * 60 };

/** Ground of use cases about webhooks, whose signing secrets are sealed. */
export interface WebhookPlatform extends ServerPlatform {
  readonly webhookSecrets: WebhookSecrets;
}

/** The oldest first. @throws NotFound; Forbidden */
export async function listWebhooks(
  { db }: Platform,
  caller: Caller,
  { query: { organization_id: organizationId } }: InputOf<'listWebhooks'>,
): Promise<Webhook[]> {
  const query = db.selectFrom('webhooks').selectAll().orderBy('id');
  if (organizationId === undefined) {
    const own = query.where('user_id', '=', caller.userId);
    return (
      await (caller.organizationId === null
        ? own
        : own.where('limited_to_organization_id', '=', caller.organizationId)
      ).execute()
    ).map(presentWebhook);
  }
  await requireOrganizationManager(db, caller, organizationId);
  return (await query.where('organization_id', '=', organizationId).execute()).map(presentWebhook);
}

/** @throws NotFound; Forbidden */
export async function getWebhook(
  { db }: Platform,
  caller: Caller,
  { params }: InputOf<'getWebhook'>,
): Promise<Webhook> {
  return presentWebhook(await requireWebhook(db, caller, params.id));
}

/** @throws NotFound; Forbidden; FreshSignInRequired; ValidationError; Unprocessable for one too many */
export async function createWebhook(
  platform: WebhookPlatform,
  caller: Caller,
  { body }: InputOf<'createWebhook'>,
): Promise<WebhookWithSecret> {
  const { db, webhookSecrets, mail, clock } = platform;
  const organizationId = body.organization_id ?? null;
  if (organizationId !== null) await requireOrganizationManager(db, caller, organizationId);
  requireFreshSignIn(caller, clock.now());
  await requireReachable(platform, body.url);
  const secret = webhookSecrets.make();
  const now = new Date(clock.now());
  const owner =
    organizationId === null
      ? {
          user_id: caller.userId,
          organization_id: null,
          limited_to_organization_id: caller.organizationId,
        }
      : { user_id: null, organization_id: organizationId, limited_to_organization_id: null };
  const row = await db.transaction().execute(async (tx) => {
    await lockOwner(tx, owner);
    const { count } = await tx
      .selectFrom('webhooks')
      .select(sql<number>`count(*)::int`.as('count'))
      .where((eb) =>
        organizationId === null
          ? eb('user_id', '=', caller.userId)
          : eb('organization_id', '=', organizationId),
      )
      .executeTakeFirstOrThrow();
    if (count >= MAX_WEBHOOKS)
      throw new Unprocessable(`There are ${MAX_WEBHOOKS} webhooks already: delete one first`);
    const position = await endOfFeed(tx, now.getTime());
    const added = await tx
      .insertInto('webhooks')
      .values({
        ...owner,
        name: body.name.trim(),
        url: body.url,
        types: body.types ?? [],
        sealed_secret: secret.sealed,
        transaction: position.transaction,
        event_id: position.id,
        position_at: now,
        next_at: now,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const made = { kind: 'webhook', webhookId: added.id, userId: owner.user_id, organizationId } as const;
    await addDelegation(tx, actorOf(caller), made, now);
    await record(platform, tx, caller, 'webhook.created', added);
    for (const userId of await readersOf(tx, added)) {
      const about = { name: added.name, at: now.toISOString(), address: caller.address };
      await mail.enqueue(tx, { kind: 'webhookCreated', userId, organizationId, ...about });
    }
    return added;
  });
  return presentWithSecret(row, secret.shown);
}

/** A change of the address is by a new author. @throws NotFound; Forbidden; FreshSignInRequired; ValidationError; Unprocessable for a suspended one that is to be on */
export async function updateWebhook(
  platform: WebhookPlatform,
  caller: Caller,
  { params, body }: InputOf<'updateWebhook'>,
): Promise<Webhook> {
  const { name, url, types, enabled } = body;
  if (url !== undefined) await requireReachable(platform, url);
  const isMoved = (before: WebhookRow): boolean => url !== undefined && url !== before.url;
  return changeRow(platform, caller, params.id, 'webhook.changed', isMoved, (before, now) => ({
    ...(name !== undefined && { name: name.trim() }),
    ...(types !== undefined && { types }),
    // Events that were of no wanted type may be so now.
    ...(types !== undefined && before.failing_since === null && { next_at: now }),
    ...(enabled === false && { enabled, ended: null }),
    // Both are tried at once.
    ...((url !== undefined || (enabled === true && !before.enabled)) && {
      ...(url !== undefined && { url }),
      failing_since: null,
      failures: 0,
      next_at: now,
    }),
    ...(enabled === true && { enabled, ended: null }),
  }));
}

/** @throws NotFound; Forbidden */
export async function deleteWebhook(
  platform: Platform,
  caller: Caller,
  { params: { id } }: InputOf<'deleteWebhook'>,
): Promise<void> {
  const { db } = platform;
  await requireWebhook(db, caller, id);
  await db.transaction().execute((tx) => removeWebhookIn(platform, tx, caller, id));
}

/** As part of a transaction, for a caller who may. */
export async function removeWebhookIn(
  platform: Platform,
  tx: Database,
  caller: Caller,
  id: number,
): Promise<void> {
  // Before its webhook, as a suspension does.
  await removeDelegation(tx, { kind: 'webhook', webhookId: id });
  const row = await tx.deleteFrom('webhooks').where('id', '=', id).returningAll().executeTakeFirst();
  if (row !== undefined) await record(platform, tx, caller, 'webhook.deleted', row);
}

/** By a new author. A webhook that fails is tried at once. @throws NotFound; Forbidden; FreshSignInRequired */
export async function replaceWebhookSecret(
  platform: WebhookPlatform,
  caller: Caller,
  { params: { id } }: InputOf<'replaceWebhookSecret'>,
): Promise<WebhookWithSecret> {
  const { db, webhookSecrets } = platform;
  const secret = webhookSecrets.make();
  const byNewAuthor = (): boolean => true;
  await changeRow(platform, caller, id, 'webhook.secret_replaced', byNewAuthor, (before, now) => ({
    sealed_secret: secret.sealed,
    sealed_former_secret: before.sealed_secret,
    former_secret_until: new Date(now.getTime() + WEBHOOK_SECRET_OVERLAP_HOURS * HOUR_MS),
    ...(before.failing_since !== null && { failing_since: null, failures: 0, next_at: now }),
  }));
  return presentWithSecret(await requireWebhook(db, caller, id), secret.shown);
}

/** @throws NotFound; Forbidden; ValidationError for a time before the events that are kept */
export async function replayWebhook(
  platform: Platform,
  caller: Caller,
  { params: { id }, body: { since } }: InputOf<'replayWebhook'>,
): Promise<Webhook> {
  const { db, clock } = platform;
  const from = new Date(since);
  if (from.getTime() < clock.now() - EVENT_DAYS * DAY_MS)
    throw new ValidationError({ since: [`is before the ${EVENT_DAYS} days for which events are kept`] });
  const position = await positionBefore(db, from);
  const bySameAuthor = (): boolean => false;
  return changeRow(platform, caller, id, 'webhook.replayed', bySameAuthor, (_, now) => ({
    transaction: position.transaction,
    event_id: position.id,
    position_at: new Date(Math.min(position.atMs, now.getTime())),
    failing_since: null,
    failures: 0,
    next_at: now,
  }));
}

/** @throws NotFound; Forbidden; TooManyRequests */
export async function testWebhook(
  { db, limits, clock, internet, webhookSecrets }: WebhookPlatform,
  caller: Caller,
  { params: { id } }: InputOf<'testWebhook'>,
): Promise<WebhookDelivery> {
  const row = await requireWebhook(db, caller, id);
  await limits.consume(TESTS, String(id));
  const delivery = new Delivery(row, { fetch: internet, secrets: webhookSecrets, clock });
  const attempt = await delivery.post({
    id: `test-${randomUUID()}`,
    type: 'test',
    at: new Date(clock.now()).toISOString(),
    data: {},
  });
  delivery.close();
  return {
    at: attempt.at.toISOString(),
    event_id: attempt.eventId,
    event_type: attempt.eventType,
    status: attempt.status,
    outcome: isSuccess(attempt.status) ? 'delivered' : 'skipped',
    failure: attempt.failure,
    error: attempt.error,
    duration_ms: attempt.durationMs,
  };
}

/** The newest first. @throws NotFound; Forbidden */
export async function listWebhookDeliveries(
  { db }: Platform,
  caller: Caller,
  { params: { id }, query }: InputOf<'listWebhookDeliveries'>,
): Promise<WebhookDelivery[]> {
  await requireWebhook(db, caller, id);
  const { offset, limit } = pageFrom(query);
  const rows = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', id)
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(({ at, event_id, event_type, status, outcome, failure, error, duration_ms }) => ({
    at: at.toISOString(),
    event_id,
    event_type,
    status,
    outcome,
    failure,
    error,
    duration_ms,
  }));
}

/**
 * A process that sends meanwhile gives way, as its claim is over.
 *
 * @param hasNewAuthor whether the change is one of those that make the caller the author
 */
async function changeRow(
  platform: Platform,
  caller: Caller,
  id: number,
  action: AuditAction,
  hasNewAuthor: (before: WebhookRow) => boolean,
  changesOf: (before: WebhookRow, now: Date) => Updateable<Schema['webhooks']>,
): Promise<Webhook> {
  const { db, clock } = platform;
  await requireWebhook(db, caller, id);
  const after = await db.transaction().execute(async (tx) => {
    const ofWebhook = sql<SqlBool>`delegations.webhook_id = ${id}`;
    // Before its webhook, as a suspension does.
    const delegation = await tx
      .selectFrom('delegations')
      .select(['id', 'suspended_at'])
      .where(ofWebhook)
      .forUpdate()
      .executeTakeFirst();
    const before = await tx
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (before === undefined) throw notFound(id);
    if (hasNewAuthor(before)) {
      requireFreshSignIn(caller, clock.now());
      await changeAuthor(tx, actorOf(caller), ofWebhook);
    }
    const changes = changesOf(before, new Date(clock.now()));
    if (changes.enabled === true && delegation !== undefined && delegation.suspended_at !== null)
      throw new Unprocessable(
        `The webhook is suspended: a person keeps it with POST /api/v1/user/delegations/${delegation.id}/keep`,
      );
    const row = await tx
      .updateTable('webhooks')
      .set({ ...changes, claimed_until: null })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(platform, tx, caller, action, row);
    return row;
  });
  return presentWebhook(after);
}

/** @throws NotFound; Forbidden */
async function requireWebhook(db: Database, caller: Caller, id: number): Promise<WebhookRow> {
  const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw notFound(id);
  if (row.organization_id !== null) {
    await requireOrganizationManager(db, caller, row.organization_id).catch((error: unknown) => {
      // An outage is not the end of a webhook.
      throw error instanceof Forbidden || error instanceof NotFound ? notFound(id) : error;
    });
  } else if (row.user_id !== caller.userId || isOutside(row, caller)) throw notFound(id);
  return row;
}

/** @throws ValidationError */
async function requireReachable({ internet }: WebhookPlatform, url: string): Promise<void> {
  const refusal = await internet.refusal(url);
  if (refusal !== undefined) throw new ValidationError({ url: [`cannot be used: ${refusal}`] });
}

function record(
  { clock }: Platform,
  tx: Database,
  caller: Caller,
  action: AuditAction,
  row: WebhookRow,
): Promise<void> {
  return recordAudit(tx, actorOf(caller), new Date(clock.now()), {
    action,
    organizationId: row.organization_id,
    userId: row.user_id,
    details: { name: row.name, id: row.id },
  });
}

/** Whether a webhook of the caller's own is outside of the organization that the caller is limited to. */
function isOutside({ limited_to_organization_id: limit }: WebhookRow, { organizationId }: Caller): boolean {
  return organizationId !== null && limit !== organizationId;
}

/** Two that are made at once are counted one after the other. */
async function lockOwner(
  tx: Database,
  owner: { readonly user_id: number | null; readonly organization_id: number | null },
): Promise<void> {
  if (owner.organization_id !== null)
    await tx
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', owner.organization_id)
      .forNoKeyUpdate()
      .execute();
  else await tx.selectFrom('users').select('id').where('id', '=', owner.user_id).forNoKeyUpdate().execute();
}

function notFound(id: number): NotFound {
  return new NotFound(`There is no webhook ${id}`);
}
