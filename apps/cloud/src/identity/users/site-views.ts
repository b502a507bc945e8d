import { isDeepStrictEqual } from 'node:util';
import type { SiteView, SiteViews } from '@heliograph/contracts';
import { actorOf, type Caller } from '../../access/caller.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { lockProfile } from './records.ts';

/** The caller's saved views of the list of sites. */
export async function getSiteViews({ db }: Platform, { userId }: Caller): Promise<SiteViews> {
  return { views: await selectViews(db, userId) };
}

/** Replaces the caller's saved views. Of those with the same name the last one stays. */
export function setSiteViews(
  { db, clock }: Platform,
  caller: Caller,
  { body: { views } }: InputOf<'setSiteViews'>,
): Promise<SiteViews> {
  const { userId, organizationId } = caller;
  const distinct = [...new Map(views.map(({ name, search }) => [name.trim(), search]))].map(
    ([name, search]) => ({ name, search }),
  );
  return db.transaction().execute(async (tx) => {
    await lockProfile(tx, userId);
    const before = await selectViews(tx, userId);
    if (isDeepStrictEqual(before, distinct)) return { views: distinct };
    const stored = JSON.stringify(distinct);
    await tx.updateTable('users').set('site_views', stored).where('id', '=', userId).execute();
    await recordAudit(tx, actorOf(caller), new Date(clock.now()), {
      action: 'account.changed',
      userId,
      organizationId,
      details: { site_views: { from: namesOf(before), to: namesOf(distinct) } },
    });
    return { views: distinct };
  });
}

async function selectViews(db: Database, userId: number): Promise<SiteView[]> {
  const found = await db.selectFrom('users').select('site_views').where('id', '=', userId).executeTakeFirst();
  return found?.site_views ?? [];
}

function namesOf(views: readonly SiteView[]): string {
  return views.map(({ name }) => name).join(', ');
}
