import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

/** What the proxies say of devices. */
export class PresenceRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Marks devices as online on a proxy. A row is written only when it changes, or when its `last_seen_at` is
   * older than `staleBefore`. Revoked devices stay offline.
   *
   * A device that is online on the proxy it was last told to dial stays there: the other proxy that still
   * lists it holds the dead end of an older connection. Rows are locked in the order of their key, so that
   * two proxies announcing the same devices cannot wait for each other.
   */
  async markOnline(proxyName: string, uids: readonly string[], at: Date, staleBefore: Date): Promise<void> {
    await sql`
      with due as (
        select uid from devices
        where uid = any(${uids}::text[]) and revoked_at is null
          and (
            (online and proxy_name = ${proxyName} and last_seen_at < ${staleBefore})
            or not online
            or (proxy_name is distinct from ${proxyName} and assigned_proxy is distinct from proxy_name)
          )
        order by uid for update
      )
      update devices set online = true, proxy_name = ${proxyName}, last_seen_at = ${at}
      from due where devices.uid = due.uid`.execute(this.#db);
  }

  /** Marks as offline what was online on a proxy and is not among the listed; `last_seen_at` stays. */
  async markOthersOffline(proxyName: string, uids: readonly string[]): Promise<void> {
    await sql`
      with gone as (
        select uid from devices
        where online and proxy_name = ${proxyName} and uid <> all(${uids}::text[])
        order by uid for update
      )
      update devices set online = false from gone where devices.uid = gone.uid`.execute(this.#db);
  }

  /** Those among the uids that are revoked. */
  async revokedAmong(uids: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ uid: string }>`
      select uid from devices where revoked_at is not null and uid = any(${uids}::text[])`.execute(this.#db);
    return rows.map(({ uid }) => uid);
  }
}
