import type { SiteRole } from '@heliograph/contracts';
import { ManualClock } from '@heliograph/kit';
import { type Insertable, sql } from 'kysely';
import { afterAll } from 'vitest';
import type { FeedEvent } from '../../src/alerting/events/service.ts';
import { storeMessages } from '../../src/alerting/notifications/intake.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { Schema } from '../../src/db/schema.ts';
import { Factory } from '../factory.ts';
import { cloudDatabase, NOW } from '../test-cloud.ts';

export const MINUTE_MS = 60_000;

export type Settings = Partial<Insertable<Schema['notification_settings']>>;
export type Alert = Partial<Insertable<Schema['alerts']>>;
export type Message = Partial<Insertable<Schema['notifications']>>;

export const clock = new ManualClock(NOW);
export const now = new Date(clock.now());
export const ago = (ms: number): Date => new Date(now.getTime() - ms);
export const ahead = (ms: number): Date => new Date(now.getTime() + ms);

/** A site of an organization, shared with another one, and beside it what is of no concern to it. */
export interface World {
  readonly home: number;
  readonly partner: number;
  readonly abroad: number;
  readonly site: number;
  readonly otherSite: number;
}

export type Relation =
  | 'owner'
  | 'owner of another site'
  | `site ${'admin' | 'member'}`
  | 'admin of another site'
  | `${'home' | 'partner' | 'abroad'} ${SiteRole}`;

export interface Person {
  readonly is?: readonly Relation[];
  /** Without them the account has never chosen. */
  readonly settings?: Settings | ((world: World) => Settings);
  readonly confirmed?: boolean;
  /** The site that the account was added to and has not accepted. */
  readonly pending?: 'site' | 'otherSite';
  readonly browsers?: number;
}

type MessageTo = Message & { readonly user_id: number };

export function eventOf(type: string, data: Record<string, unknown>): FeedEvent {
  return {
    ...{ transaction: '1', id: '1', at: now, type, siteId: null, organizationId: null, userId: null, data },
  };
}

/** By default a message that was sent by mail. */
export const messageRow = (message: MessageTo): Insertable<Schema['notifications']> => ({
  ...{ channel: 'mail', push_subscription_id: null, kind: 'raised', alert_id: null, outage_id: null },
  ...{ state: 'sent', due_at: now, created_at: now, sent_at: null, failure: null },
  ...message,
});

/** A database for the tests of a file about messages, without a cloud. */
export async function messageGround() {
  const database = await cloudDatabase();
  const { db, close } = openDatabase(database.url, () => undefined);
  afterAll(async () => {
    await close();
    await database.drop();
  });
  const make = new Factory(db, clock);

  async function makeWorld(): Promise<World> {
    const [home, partner, abroad] = [
      await make.organization(),
      await make.organization(),
      await make.organization(),
    ];
    // Their owners want no message.
    const [ownerId, otherOwnerId] = (await make.users(2)) as [number, number];
    await settle(ownerId, { severity: null });
    await settle(otherOwnerId, { severity: null });
    const { id: site } = await make.site({ ownerId, organizationId: home });
    const { id: otherSite } = await make.site({ ownerId: otherOwnerId, organizationId: home });
    await db
      .updateTable('sites')
      .set({ tags: ['North', 'Roof'] })
      .where('id', '=', site)
      .execute();
    await make.share(partner, site);
    await make.share(abroad, otherSite);
    return { home, partner, abroad, site, otherSite };
  }

  function settle(userId: number, settings: Settings): Promise<unknown> {
    return db
      .insertInto('notification_settings')
      .values({
        ...{ user_id: userId, severity: 3, team_severity: null, team_tags: [], escalation_minutes: null },
        ...{ outages: true, mail: true, digest: 'at_once', quiet_from: null, quiet_until: null },
        ...{ time_zone: 'UTC', sealed_ntfy: null, sealed_telegram: null },
        ...settings,
      })
      .execute();
  }

  function relate(world: World, userId: number, relation: Relation): Promise<unknown> {
    const [place, role] = relation.split(' ') as ['home' | 'partner' | 'abroad' | 'site', SiteRole];
    const owns = (id: number) =>
      db.updateTable('sites').set({ owner_id: userId }).where('id', '=', id).execute();
    if (relation === 'owner') return owns(world.site);
    if (relation === 'owner of another site') return owns(world.otherSite);
    if (relation === 'admin of another site') return make.member(world.otherSite, userId, 'admin');
    if (place === 'site') return make.member(world.site, userId, role as 'admin' | 'member');
    return db
      .insertInto('organization_members')
      .values({ organization_id: world[place], user_id: userId, role })
      .execute();
  }

  /** @returns the id of the account, and those of its browsers */
  async function makePerson(
    world: World,
    { is = [], settings, confirmed = true, pending, browsers = 0 }: Person,
  ): Promise<{ id: number; browserIds: number[] }> {
    const { id } = await make.user({ confirmed });
    for (const relation of is) await relate(world, id, relation);
    if (settings !== undefined) await settle(id, typeof settings === 'function' ? settings(world) : settings);
    if (pending !== undefined)
      await db
        .insertInto('site_invitations')
        .values({
          ...{ site_id: world[pending], user_id: id, invited_by: null, created_at: now },
          ...{ email: 'ada@example.org', first_name: 'Ada', last_name: 'Lovelace' },
        })
        .execute();
    const browserIds: number[] = [];
    for (let n = 0; n < browsers; n++) {
      const row = await db
        .insertInto('push_subscriptions')
        .values({
          ...{ user_id: id, endpoint: `https://push.example.org/${id}/${n}`, label: 'Firefox' },
          ...{ p256dh: Buffer.alloc(65), auth: Buffer.alloc(16), created_at: now },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      browserIds.push(row.id);
    }
    return { id, browserIds };
  }

  const putMessage = (message: MessageTo): Promise<{ id: string }> =>
    db.insertInto('notifications').values(messageRow(message)).returning('id').executeTakeFirstOrThrow();

  const store = (events: readonly FeedEvent[], at = now) =>
    db.transaction().execute((tx) => storeMessages(tx, events, at));

  const messagesAbout = (of: 'alert_id' | 'outage_id', ids: readonly number[]) =>
    db
      .selectFrom('notifications')
      .select(['user_id', 'channel', 'kind', 'state', 'due_at', 'push_subscription_id'])
      .select(sql<number>`${sql.ref(of)}::int`.as('about'))
      .where(of, 'in', ids.map(String))
      .orderBy('id')
      .execute();

  return { db, make, makeWorld, settle, makePerson, putMessage, store, messagesAbout };
}
