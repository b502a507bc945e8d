import type { DataExport } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { requireSite } from '../../access/site-access.ts';
import type { RateRule } from '../../common/limits/rate-limits.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { type ArchiveMaker, KEPT_MS } from './archives.ts';

const EXPORTS: RateRule = { name: 'exports', points: 10, durationS: 24 * 60 * 60 };

export interface ExportPlatform extends Platform {
  readonly archives: ArchiveMaker;
}

/** An archive as it is downloaded. */
export interface Archive {
  readonly name: string;
  readonly size: number;
  readonly chunks: AsyncIterable<Buffer>;
}

/** @throws NotFound, Forbidden for a site that the caller does not own or manage; TooManyRequests */
export async function requestExport(
  platform: ExportPlatform,
  caller: Caller,
  { body: { site_id: siteId = null, csv_locale: csvLocale = null } = {} }: InputOf<'requestExport'>,
): Promise<DataExport> {
  const { db, limits, clock, archives } = platform;
  const { userId } = caller;
  const site = siteId === null ? undefined : await requireSite(db, caller, siteId, 'connections');
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
  archives.makeSoon(id);
  const [made] = await exportsOf(platform, caller, id);
  if (made === undefined) throw new NotFound();
  return made;
}

export function listExports(platform: Platform, caller: Caller): Promise<DataExport[]> {
  return exportsOf(platform, caller, undefined);
}

/** @throws NotFound; Forbidden once the caller has lost the site that it is about */
export async function downloadExport(
  platform: Platform,
  caller: Caller,
  { params: { id } }: InputOf<'downloadExport'>,
): Promise<Archive> {
  const { db } = platform;
  const found = await ownExports(platform, caller)
    .select('data_exports.site_id as siteId')
    .where('data_exports.id', '=', id)
    .executeTakeFirst();
  if (found?.size === undefined || found.size === null) throw new NotFound();
  if (found.siteId !== null) await requireSite(db, caller, found.siteId, 'connections');
  return { name: `export-${id}.zip`, size: found.size, chunks: chunksOf(db, id) };
}

async function exportsOf(platform: Platform, caller: Caller, id: number | undefined): Promise<DataExport[]> {
  const rows = await ownExports(platform, caller)
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

function ownExports({ db, clock }: Platform, { userId }: Caller) {
  return db
    .selectFrom('data_exports')
    .select('data_exports.size')
    .where('data_exports.user_id', '=', userId)
    .where('data_exports.expires_at', '>', new Date(clock.now()));
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
