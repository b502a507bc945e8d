import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

/** Scrapes within this time get the same figures, in milliseconds. */
const MAX_AGE_MS = 5_000;
/** How long a scrape waits for the database, in milliseconds. */
const WAIT_MS = 2_000;

/** Proxies that get series of their own; there are hardly more. */
const MAX_PROXIES = 500;

/** Tables that grow with the service. */
const TABLES = ['sites', 'devices', 'users', 'tokens', 'orders', 'tickets', 'audit_events'] as const;

/** A proxy as it last announced itself. */
export interface ProxyFigures {
  readonly name: string;
  readonly region: string;
  readonly tunnels: number;
  readonly capacity: number;
  readonly announcedAt: Date;
}

/** Mails that wait to be sent. */
export interface MailBacklog {
  readonly waiting: number;
  /** When the oldest of them was queued; null while none waits. */
  readonly oldestAt: Date | null;
}

export interface Figures {
  readonly mails: MailBacklog;
  readonly proxies: readonly ProxyFigures[];
  /** Rows by table, as the planner estimates them. */
  readonly tableRows: ReadonlyMap<string, number>;
  /** Pages of the payment provider that can still be paid on. */
  readonly openCheckouts: number;
}

/** Figures that only the database knows; the same in all processes of a cloud. */
export class DatabaseFigures {
  readonly #db: Database;
  readonly #monotonic: () => number;
  #latest: Figures | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  /** @param monotonic time that never runs backwards, in milliseconds */
  constructor(db: Database, monotonic: () => number) {
    this.#db = db;
    this.#monotonic = monotonic;
  }

  /** The latest figures; undefined while the database does not answer. */
  get latest(): Figures | undefined {
    return this.#latest;
  }

  /** Reads the figures, unless that was done just now. Resolves in time also when the database is silent. */
  async refresh(): Promise<void> {
    if (this.#monotonic() - this.#readAtMs < MAX_AGE_MS) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const timer = setTimeout(resolve, WAIT_MS, 'late');
    if ((await Promise.race([this.#reading, late])) === 'late') this.#latest = undefined;
    clearTimeout(timer);
  }

  async #read(): Promise<void> {
    try {
      this.#latest = await readFigures(this.#db);
      this.#readAtMs = this.#monotonic();
    } catch {
      // Readiness reports the reason; here the figures are absent.
      this.#latest = undefined;
    }
  }
}

async function readFigures(db: Database): Promise<Figures> {
  const mails = await mailBacklog(db);
  const proxies = await db
    .selectFrom('proxies')
    .select(['name', 'region', 'session_count as tunnels', 'capacity', 'announced_at as announcedAt'])
    .orderBy('announced_at', 'desc')
    .limit(MAX_PROXIES)
    .execute();
  const tables = await sql<{ name: string; rows: number }>`
    select relname as name, greatest(reltuples, 0)::float8 as rows from pg_class
    where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
      and relname in (${sql.join(TABLES)})`.execute(db);
  const { open } = await db
    .selectFrom('payment_checkouts')
    .select((eb) => eb.fn.countAll<string>().as('open'))
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return {
    mails,
    proxies,
    tableRows: new Map(tables.rows.map(({ name, rows }) => [name, rows])),
    openCheckouts: Number(open),
  };
}

export async function mailBacklog(db: Database): Promise<MailBacklog> {
  const { rows } = await sql<{ waiting: string; oldest: Date | null }>`
    select count(*) as waiting, min(created_at) as oldest from deliveries
    where kind = 'mail' and due_at is not null`.execute(db);
  return { waiting: Number(rows[0]?.waiting ?? 0), oldestAt: rows[0]?.oldest ?? null };
}
