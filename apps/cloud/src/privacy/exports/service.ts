import { type DataExport, MAX_ID, type RequestExportBody } from '@heliograph/contracts';
import { type Clock, type Logger, NotFound } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { SiteAccess } from '../../access/site-access.ts';
import type { RateLimits, RateRule } from '../../common/limits/rate-limits.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import { archiveOf } from './archive.ts';
import { sectionsOfAccount, sectionsOfSite } from './sections.ts';

const EXPORTS: RateRule = { name: 'exports', points: 10, durationS: 24 * 60 * 60 };

/** How long an archive is kept, in milliseconds. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** Archives that one run makes. */
const BATCH_SIZE = 100;

const CHUNK_SIZE = 1024 * 1024;

export interface ExportOptions {
  readonly db: Database;
  readonly access: SiteAccess;
  readonly mail: MailService;
  readonly limits: RateLimits;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** An archive as it is downloaded. */
export interface Archive {
  readonly name: string;
  readonly size: number;
  readonly chunks: AsyncIterable<Buffer>;
}

/** An archive to make. */
interface Waiting {
  readonly id: number;
  readonly userId: number;
  readonly siteId: number | null;
  readonly organizationId: number | null;
  /** BCP 47; null: CSV for programs. */
  readonly csvLocale: string | null;
}

/** Archives of what the service has about accounts and sites. */
export class ExportService {
  readonly #options: ExportOptions;
  #running: Promise<void> = Promise.resolve();

  constructor(options: ExportOptions) {
    this.#options = options;
  }

  /** @throws NotFound, Forbidden for a site that the caller does not own or manage; TooManyRequests */
  async request(
    caller: Caller,
    { site_id: siteId = null, csv_locale: csvLocale = null }: RequestExportBody,
  ): Promise<DataExport> {
    const { db, access, limits, clock } = this.#options;
    const { userId } = caller;
    const site = siteId === null ? undefined : await access.require(caller, siteId, 'connections');
    await limits.consume(EXPORTS, String(userId));
    const at = new Date(clock.now());
    const id = await db.transaction().execute(async (tx) => {
      // Two clicks at once wait for each other.
      await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
      const waiting = await tx
        .selectFrom('data_exports')
        .select('id')
        .where('user_id', '=', userId)
        .where(sql<SqlBool>`site_id is not distinct from ${siteId}`)
        .where('ready_at', 'is', null)
        .executeTakeFirst();
      if (waiting !== undefined) return waiting.id;
      const added = await tx
        .insertInto('data_exports')
        .values({
          user_id: userId,
          site_id: siteId,
          csv_locale: csvLocale,
          requested_at: at,
          expires_at: new Date(at.getTime() + KEPT_MS),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const about = { userId, siteId, organizationId: site?.organizationId ?? null };
      await recordAudit(tx, actorOf(caller), at, { action: 'account.exported', ...about });
      return added.id;
    });
    this.#makeSoon(id);
    const [made] = await this.#list(caller, id);
    if (made === undefined) throw new NotFound();
    return made;
  }

  list(caller: Caller): Promise<DataExport[]> {
    return this.#list(caller, undefined);
  }

  /** @throws NotFound; Forbidden once the caller has lost the site that it is about */
  async download(caller: Caller, id: number): Promise<Archive> {
    const { db, access } = this.#options;
    const found = await this.#own(caller)
      .select('data_exports.site_id as siteId')
      .where('data_exports.id', '=', id)
      .executeTakeFirst();
    if (found?.size === undefined || found.size === null) throw new NotFound();
    if (found.siteId !== null) await access.require(caller, found.siteId, 'connections');
    return { name: `export-${id}.zip`, size: found.size, chunks: chunksOf(db, id) };
  }

  /** Makes the archives that wait. One that failed, or a process died over, is tried again at the next run until it expires. */
  async run(): Promise<void> {
    let id: number | undefined = 0;
    for (let count = 0; count < BATCH_SIZE && id !== undefined; count += 1) id = await this.#makeNext(id);
  }

  /** Resolves once the archives are made that this process was asked for. */
  settle(): Promise<void> {
    return this.#running;
  }

  #makeSoon(id: number): void {
    this.#running = this.#running
      .then(() => this.#makeNext(id - 1, id))
      .then(() => undefined)
      .catch((err: unknown) => {
        this.#options.logger.warn({ err }, 'no archive could be made; the next try is in an hour');
      });
  }

  /** @param after the id of the one before @param last the largest id @returns the id of the one that was made, or failed; undefined where none waits */
  async #makeNext(after: number, last = MAX_ID): Promise<number | undefined> {
    const { db, logger } = this.#options;
    let id: number | undefined;
    try {
      await db.transaction().execute(async (tx) => {
        const next = await this.#next(tx, after, last);
        id = next?.id;
        if (next !== undefined) await this.#make(tx, next);
      });
    } catch (err) {
      if (id === undefined) throw err;
      logger.warn({ err, export: id }, 'an archive could not be made; the next try is in an hour');
    }
    return id;
  }

  #next(tx: Database, after: number, last: number) {
    return tx
      .selectFrom('data_exports')
      .innerJoin('users', 'users.id', 'data_exports.user_id')
      .select([
        'data_exports.id',
        'user_id as userId',
        'site_id as siteId',
        'organization_id as organizationId',
        'csv_locale as csvLocale',
      ])
      .where('ready_at', 'is', null)
      .where('data_exports.id', '>', after)
      .where('data_exports.id', '<=', last)
      .orderBy('data_exports.id')
      .forUpdate('data_exports')
      .skipLocked()
      .limit(1)
      .executeTakeFirst();
  }

  async #make(tx: Database, { id, userId, siteId, organizationId, csvLocale }: Waiting): Promise<void> {
    const { mail, clock } = this.#options;
    const at = new Date(clock.now());
    const sections = siteId === null ? sectionsOfAccount(userId) : sectionsOfSite(siteId);
    const archive = await archiveOf(tx, sections, siteId === null ? userId : null, at, csvLocale);
    const size = await store(tx, id, archive);
    const expires_at = new Date(at.getTime() + KEPT_MS);
    await tx
      .updateTable('data_exports')
      .set({ size, ready_at: at, expires_at })
      .where('id', '=', id)
      .execute();
    const notice = { at: at.toISOString(), address: null };
    await mail.enqueue(tx, { kind: 'exportReady', userId, organizationId, ...notice });
  }

  async #list(caller: Caller, id: number | undefined): Promise<DataExport[]> {
    const rows = await this.#own(caller)
      .leftJoin('sites', 'sites.id', 'data_exports.site_id')
      .select([
        'data_exports.id',
        'data_exports.requested_at',
        'data_exports.ready_at',
        'data_exports.expires_at',
        'sites.id as siteId',
        'sites.name as siteName',
      ])
      .$if(id !== undefined, (select) => select.where('data_exports.id', '=', id ?? 0))
      .orderBy('data_exports.id', 'desc')
      .limit(50)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      site: row.siteId === null ? null : { id: row.siteId, name: row.siteName },
      requested_at: row.requested_at.toISOString(),
      ready_at: row.ready_at?.toISOString() ?? null,
      expires_at: row.expires_at.toISOString(),
      size: row.size,
    }));
  }

  #own({ userId }: Caller) {
    return this.#options.db
      .selectFrom('data_exports')
      .select('data_exports.size')
      .where('data_exports.user_id', '=', userId)
      .where('data_exports.expires_at', '>', new Date(this.#options.clock.now()));
  }
}

/** @returns the size in bytes */
async function store(tx: Database, exportId: number, archive: AsyncIterable<Buffer>): Promise<number> {
  let size = 0;
  let position = 0;
  let waiting: Buffer[] = [];
  let waitingSize = 0;
  const write = async () => {
    if (waitingSize === 0) return;
    const bytes = Buffer.concat(waiting);
    await tx.insertInto('data_export_chunks').values({ export_id: exportId, position, bytes }).execute();
    position += 1;
    size += bytes.length;
    waiting = [];
    waitingSize = 0;
  };
  for await (const part of archive) {
    waiting.push(part);
    waitingSize += part.length;
    if (waitingSize >= CHUNK_SIZE) await write();
  }
  await write();
  return size;
}

async function* chunksOf(db: Database, exportId: number): AsyncGenerator<Buffer> {
  for (let position = 0; ; position += 1) {
    const chunk = await db
      .selectFrom('data_export_chunks')
      .select('bytes')
      .where('export_id', '=', exportId)
      .where('position', '=', position)
      .executeTakeFirst();
    if (chunk === undefined) return;
    yield chunk.bytes;
  }
}
