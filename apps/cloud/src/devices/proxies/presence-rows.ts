import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/open.ts';

/** A device on a proxy, and the site of its session. */
export interface DeviceSession {
  readonly uid: string;
  readonly site_id: number;
}

/** Whether a device may serve the site of its session. */
const MAY_SERVE = sql<boolean>`listed.uid is not null and devices.revoked_at is null
  and devices.site_id is not distinct from listed.site_id`;

/** Whether the cloud assigned a device to a proxy, or has it there: a proxy cannot claim any other. */
const isAssignedTo = (proxyName: string) =>
  sql<boolean>`${proxyName} in (coalesce(devices.assigned_proxy, ''), coalesce(devices.proxy_name, ''))`;

/** Uids of the devices that are online on a proxy. */
export async function onlineUids(tx: Database, proxyName: string): Promise<string[]> {
  const devices = await tx
    .selectFrom('devices')
    .select('uid')
    .where('online', '=', true)
    .where('proxy_name', '=', proxyName)
    .execute();
  return devices.map(({ uid }) => uid);
}

/**
 * Marks devices as online on a proxy, and those that leave and are not listed as offline. A row is written only when
 * it changes. Devices that may not serve what they are listed for are offline. Those that the cloud never sent to the
 * proxy stay as they are.
 *
 * A device that is online on its assigned proxy stays there: another proxy that still lists it holds the dead end of
 * an older connection. Rows are locked in the order of their key, all in one statement, so that two proxies announcing
 * the same devices cannot wait for each other.
 *
 * @param seenAt the last_seen_at of the devices that leave
 */
export async function updatePresence(
  tx: Database,
  proxyName: string,
  sessions: readonly DeviceSession[],
  leaving: readonly string[],
  seenAt: Date,
): Promise<void> {
  await sql`
    with listed as (${listOf(sessions)}),
    concerned as (select uid from listed union select unnest(${leaving}::text[])),
    due as (
      select devices.uid, ${MAY_SERVE} as here
      from concerned join devices using (uid) left join listed using (uid)
      where case when ${MAY_SERVE}
        then ${isAssignedTo(proxyName)} and (not devices.online
          or (devices.proxy_name is distinct from ${proxyName}
            and devices.assigned_proxy is distinct from devices.proxy_name))
        else devices.online and devices.proxy_name = ${proxyName} end
      order by devices.uid for update of devices
    )
    update devices set online = due.here, proxy_name = ${proxyName},
      last_seen_at = case when due.here then devices.last_seen_at else ${seenAt} end
    from due where devices.uid = due.uid`.execute(tx);
}

/**
 * Uids of the sessions that the proxy is to end. A device that the cloud never sent there then calls the cloud again;
 * one that is online elsewhere is about to leave by itself.
 */
export async function listRefused(
  tx: Database,
  proxyName: string,
  sessions: readonly DeviceSession[],
): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    with listed as (${listOf(sessions)})
    select listed.uid from listed left join devices using (uid)
    where not (devices.uid is not null and ${MAY_SERVE}
      and (devices.online or ${isAssignedTo(proxyName)}))`.execute(tx);
  return rows.map(({ uid }) => uid);
}

/** Deletes and returns the uids of the sessions that a proxy is to end. */
export async function deleteDismissed(tx: Database, proxyName: string): Promise<string[]> {
  const dismissed = await tx
    .deleteFrom('dismissed_sessions')
    .where('proxy_name', '=', proxyName)
    .returning('uid')
    .execute();
  return dismissed.map(({ uid }) => uid);
}

/** @returns rows of uid and site; floats, as a proxy can send numbers outside the range of ids */
function listOf(sessions: readonly DeviceSession[]): RawBuilder<unknown> {
  const sites = new Map(sessions.map((session) => [session.uid, session.site_id]));
  return sql`select uid, site_id from
    unnest(${[...sites.keys()]}::text[], ${[...sites.values()]}::float8[]) as given (uid, site_id)`;
}
