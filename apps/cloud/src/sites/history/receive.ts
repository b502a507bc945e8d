import type { DeviceHistoryAnswer, DeviceHistoryBody } from '@heliograph/contracts';
import { formatDate } from '@heliograph/kit/calendar-days';
import { startOfDay } from '@heliograph/kit/local-time';
import type { RateRule } from '../../common/limits/rate-limits.ts';
import { appendEvents } from '../../db/events.ts';
import type { Database } from '../../db/open.ts';
import type { ProvenDevice } from '../../http/guards.ts';
import type { Platform } from '../../platform.ts';
import { agreedAt, isoOf } from './consent.ts';
import { storeNewest } from './newest.ts';
import { PostgresHistoryStore } from './postgres-store.ts';
import { energyOfDay } from './present.ts';
import type { HistoryDay } from './store.ts';
import { daysOf } from './upload.ts';

/** Four an hour, and 53 weeks once the owner has agreed. */
const UPLOADS_PER_DEVICE: RateRule = {
  name: 'history-device',
  points: 120,
  durationS: 60 * 60,
  perProcess: true,
};

/**
 * Stores what a device sends. It may send the same again.
 *
 * @throws Unprocessable; TooManyRequests
 */
export async function receiveHistory(
  { db, limits, clock }: Platform,
  { siteId, uid }: ProvenDevice,
  body: DeviceHistoryBody,
): Promise<DeviceHistoryAnswer> {
  await limits.consume(UPLOADS_PER_DEVICE, uid);
  const nowMs = clock.now();
  const days = daysOf(body, nowMs);
  if (days.length === 0 && body.newest === null) return { agreed_at: isoOf(await agreedAt(db, siteId)) };
  return db.transaction().execute(async (tx) => {
    // A withdrawal waits for the upload, and deletes it; an upload after it stores nothing. Uploads wait for one another.
    const at = await agreedAt(tx, siteId, 'for no key update of consents');
    if (at === undefined) return { agreed_at: null };
    const complete = await new PostgresHistoryStore(db).merge(tx, siteId, days);
    await appendDays(tx, siteId, complete, at, nowMs);
    if (body.newest !== null) await storeNewest(tx, siteId, body.newest, nowMs);
    return { agreed_at: isoOf(at) };
  });
}

/** Adds an event for each day that is complete. Days that ended before the owner agreed are the past, no news. */
async function appendDays(
  tx: Database,
  siteId: number,
  days: readonly HistoryDay[],
  agreed: Date,
  nowMs: number,
): Promise<void> {
  const ended = days.filter(({ day, zone }) => startOfDay(day + 1, zone) > agreed.getTime());
  if (ended.length === 0) return;
  const site = await tx
    .selectFrom('sites')
    .select('organization_id as organizationId')
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow();
  const events = ended.map(({ day, zone, values }) => ({
    type: 'energy.day' as const,
    at: new Date(nowMs),
    siteId,
    organizationId: site.organizationId,
    data: { date: formatDate(day), time_zone: zone, ...energyOfDay(values) },
  }));
  await appendEvents(tx, events);
}
