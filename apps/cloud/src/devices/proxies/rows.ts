import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { ProxyRecord } from './directory.ts';

/** A full announcement of a proxy. */
export interface ProxyState extends Omit<ProxyRecord, 'drainWanted' | 'isTrusted'> {
  /** Null for one that never announces changes alone. */
  readonly run: string | null;
  readonly sequence: number | null;
}

/** An announcement of changes. */
export interface ProxyChange {
  readonly run: string;
  readonly sequence: number;
  readonly draining: boolean;
  /** Added minus removed sessions. */
  readonly sessionDelta: number;
  readonly announcedAt: Date;
}

/** A proxy after an announcement. */
export interface AnnouncementResult {
  readonly proxy: ProxyRecord;
  /** Date of its announcement before. */
  readonly before: Date;
}

const COLUMNS = [
  'proxies.name',
  'proxies.region',
  'proxies.region_domain as regionDomain',
  'proxies.host',
  'proxies.url',
  'proxies.capacity',
  'proxies.draining',
  'proxies.drain_wanted as drainWanted',
  'proxies.session_count as sessionCount',
  'proxies.announced_at as announcedAt',
] as const;

/** Whether the proxy of a row has a credential. */
const IS_TRUSTED = sql<boolean>`exists (
  select from proxy_credentials where proxy_credentials.proxy_name = proxies.name
)`.as('isTrusted');

export function selectProxies(db: Database): Promise<ProxyRecord[]> {
  return db
    .selectFrom('proxies')
    .select([...COLUMNS, IS_TRUSTED])
    .orderBy(sql`name collate natural_order`)
    .execute();
}

/** Locks a proxy's row until the transaction ends, which serializes its announcements. */
export function lockProxy(tx: Database, name: string): Promise<ProxyRecord | undefined> {
  return tx
    .selectFrom('proxies')
    .select([...COLUMNS, IS_TRUSTED])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
}

/** As `lockProxy`. @returns the run of the proxy's last announcement; undefined when there is no such proxy */
export async function lockRun(tx: Database, name: string): Promise<string | null | undefined> {
  const proxy = await tx
    .selectFrom('proxies')
    .select('run')
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
  return proxy?.run;
}

export async function saveAnnouncement(
  tx: Database,
  { name, ...announced }: ProxyState,
): Promise<AnnouncementResult> {
  const before = await lockProxy(tx, name);
  const state = {
    region: announced.region,
    region_domain: announced.regionDomain,
    host: announced.host,
    url: announced.url,
    capacity: announced.capacity,
    draining: announced.draining,
    session_count: announced.sessionCount,
    announced_at: announced.announcedAt,
    run: announced.run,
    sequence: announced.sequence,
  };
  const proxy = await tx
    .insertInto('proxies')
    .values({ name, ...state })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(state))
    .returning([...COLUMNS, IS_TRUSTED])
    .executeTakeFirstOrThrow();
  return { proxy, before: before?.announcedAt ?? announced.announcedAt };
}

/**
 * Stores the announcement that follows the stored one, in the statement that checks whether it does, so that none is
 * applied twice.
 *
 * @returns undefined when it does not follow
 */
export async function advanceAnnouncement(
  tx: Database,
  name: string,
  step: ProxyChange,
): Promise<AnnouncementResult | undefined> {
  const row = await tx
    .with('stored', (db) =>
      db
        .selectFrom('proxies')
        .select(['name', 'announced_at as announcedAt'])
        .where('name', '=', name)
        .where('run', '=', step.run)
        .where('sequence', '=', `${step.sequence - 1}`)
        .forUpdate(),
    )
    .updateTable('proxies')
    .from('stored')
    .set({
      sequence: step.sequence,
      draining: step.draining,
      session_count: sql`greatest(proxies.session_count + ${step.sessionDelta}, 0)`,
      announced_at: step.announcedAt,
    })
    .whereRef('proxies.name', '=', 'stored.name')
    .returning([...COLUMNS, IS_TRUSTED, 'stored.announcedAt as before'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { before, ...proxy } = row;
  return { proxy, before };
}

/** @returns false when the value is stored already, or there is no such proxy */
export async function setDrainWanted(tx: Database, name: string, wanted: boolean): Promise<boolean> {
  const changed = await tx
    .updateTable('proxies')
    .set({ drain_wanted: wanted })
    .where('name', '=', name)
    .where('drain_wanted', '!=', wanted)
    .returning('name')
    .executeTakeFirst();
  return changed !== undefined;
}

export async function removeProxy(tx: Database, name: string): Promise<void> {
  await tx.deleteFrom('dismissed_sessions').where('proxy_name', '=', name).execute();
  await tx.deleteFrom('proxies').where('name', '=', name).execute();
}
