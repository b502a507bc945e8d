import { MAX_ID } from '@heliograph/contracts';
import type { Database } from '../../db/open.ts';
import type { Platform } from '../../platform.ts';
import { archiveOf } from './archive.ts';
import { sectionsOfAccount, sectionsOfSite } from './sections.ts';

/** How long an archive is kept, in milliseconds. */
export const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** Archives that one run makes. */
const BATCH_SIZE = 100;

const CHUNK_SIZE = 1024 * 1024;

/** An archive to make. */
interface Waiting {
  readonly id: number;
  readonly userId: number;
  readonly siteId: number | null;
  readonly organizationId: number | null;
  /** BCP 47; null: CSV for programs. */
  readonly csvLocale: string | null;
}

/** Makes the archives that people ask for, one after the other. */
export class ArchiveMaker {
  readonly #platform: Platform;
  #running: Promise<void> = Promise.resolve();

  constructor(platform: Platform) {
    this.#platform = platform;
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

  makeSoon(id: number): void {
    this.#running = this.#running
      .then(() => this.#makeNext(id - 1, id))
      .then(() => undefined)
      .catch((err: unknown) => {
        this.#platform.logger.warn({ err }, 'no archive could be made; the next try is in an hour');
      });
  }

  /** @param after the id of the one before @param last the largest id @returns the id of the one that was made, or failed; undefined where none waits */
  async #makeNext(after: number, last = MAX_ID): Promise<number | undefined> {
    const { db, logger } = this.#platform;
    let id: number | undefined;
    try {
      await db.transaction().execute(async (tx) => {
        const next = await nextWaiting(tx, after, last);
        id = next?.id;
        if (next !== undefined) await make(this.#platform, tx, next);
      });
    } catch (err) {
      if (id === undefined) throw err;
      logger.warn({ err, export: id }, 'an archive could not be made; the next try is in an hour');
    }
    return id;
  }
}

function nextWaiting(tx: Database, after: number, last: number) {
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

async function make(
  { mail, clock }: Platform,
  tx: Database,
  { id, userId, siteId, organizationId, csvLocale }: Waiting,
): Promise<void> {
  const at = new Date(clock.now());
  const sections = siteId === null ? sectionsOfAccount(userId) : sectionsOfSite(siteId);
  const archive = await archiveOf(tx, sections, siteId === null ? userId : null, at, csvLocale);
  const size = await store(tx, id, archive);
  const expires_at = new Date(at.getTime() + KEPT_MS);
  await tx.updateTable('data_exports').set({ size, ready_at: at, expires_at }).where('id', '=', id).execute();
  const notice = { at: at.toISOString(), address: null };
  await mail.enqueue(tx, { kind: 'exportReady', userId, organizationId, ...notice });
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
