import {
  BLANK,
  type SiteInstallation,
  type SiteSummary,
  type SiteTags,
  type SiteUpdates,
  type SiteWithToken,
} from '@heliograph/contracts';
import { foldText } from '@heliograph/contracts/folded-text';
import { ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { inTagOrder } from '../../common/tag-order.ts';
import type { DevicePlatform } from '../../devices/platform.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import type { SitePlatform } from '../platform.ts';
import { changeRow, type SiteRow } from './change-row.ts';
import { presentUpdates } from './present.ts';
import { findRecord } from './records.ts';
import { requireSiteName, withUniqueName } from './site-name.ts';
import { presentSummary } from './summary.ts';
import { presentWithToken } from './with-token.ts';

/**
 * Changes a site's name, and with it its hostname.
 *
 * @throws NotFound; ValidationError for a name that is blank, taken, reserved, or no hostname
 */
export async function renameSite(
  platform: SitePlatform,
  caller: Caller,
  { site: { id }, body: { name } }: InputOf<'renameSite'>,
): Promise<SiteWithToken> {
  const { db } = platform;
  const site = orNotFound(await findRecord(db, caller, id));
  if (name === null || name.trim() === '') throw new ValidationError({ name: ["can't be blank"] });
  requireSiteName(name, site.name);
  await withUniqueName(db, (tx) =>
    changeRow(tx, platform, caller, id, {
      action: 'site.renamed',
      columns: { name },
      describe: (row) => row.name,
    }),
  );
  return presentWithToken(platform, caller, { ...site, name });
}

/** Changes a site's description; a blank one is stored as null. @throws NotFound */
export async function describeSite(
  platform: DevicePlatform,
  caller: Caller,
  { site: { id, permissions }, body }: InputOf<'describeSite'>,
): Promise<SiteSummary> {
  const { db, proxies } = platform;
  const site = orNotFound(await findRecord(db, caller, id));
  const description = body.description?.trim() || null;
  await db.transaction().execute((tx) =>
    changeRow(tx, platform, caller, id, {
      action: 'site.described',
      columns: { description },
      describe: (row) => row.description,
    }),
  );
  return presentSummary({ ...site, description }, permissions, await proxies.directory());
}

/** Chooses the releases that the device takes. */
export async function setSiteUpdates(
  platform: Platform,
  caller: Caller,
  { site: { id }, body: { channel, automatic } }: InputOf<'setSiteUpdates'>,
): Promise<SiteUpdates> {
  await platform.db.transaction().execute(async (tx) => {
    const before = await changeRow(tx, platform, caller, id, {
      action: 'site.updates_changed',
      columns: { update_channel: channel, automatic_updates: automatic },
      describe: (row) => describeUpdates(presentUpdates(row)),
    });
    if (before === undefined || channel === before.update_channel) return;
    const chosen = { beta: channel === 'beta', is_channel_chosen: true };
    await tx.updateTable('devices').set(chosen).where('site_id', '=', id).execute();
  });
  return { channel, automatic };
}

/** Replaces the tags of a site. @throws ValidationError for one with a comma */
export async function setSiteTags(
  platform: Platform,
  caller: Caller,
  { site: { id }, body }: InputOf<'setSiteTags'>,
): Promise<SiteTags> {
  if (body.tags.some((tag) => tag.includes(','))) throw new ValidationError({ tags: ["can't have commas"] });
  const tags = distinctTags(body.tags);
  await platform.db.transaction().execute((tx) =>
    changeRow(tx, platform, caller, id, {
      action: 'site.tags_changed',
      columns: { tags },
      describe: (row) => inTagOrder(row.tags).join(', '),
    }),
  );
  return { tags };
}

/** Sets peak power and location. @throws ValidationError for half a location */
export async function setSiteInstallation(
  platform: Platform,
  caller: Caller,
  { site: { id }, body: { peak_power_kwp, latitude, longitude } }: InputOf<'setSiteInstallation'>,
): Promise<SiteInstallation> {
  if ((latitude === null) !== (longitude === null))
    throw new ValidationError({ [latitude === null ? 'latitude' : 'longitude']: [BLANK] });
  const columns = { peak_power_kwp, latitude, longitude };
  await platform.db.transaction().execute((tx) =>
    changeRow(tx, platform, caller, id, {
      action: 'site.installation_changed',
      columns,
      describe: describeInstallation,
    }),
  );
  return columns;
}

/** Trimmed, by name, each once in any letter case. */
function distinctTags(tags: readonly string[]): string[] {
  const byWord = new Map<string, string>();
  for (const tag of tags) {
    const word = tag.trim();
    const folded = foldText(word);
    if (!byWord.has(folded)) byWord.set(folded, word);
  }
  return inTagOrder([...byWord.values()]);
}

function describeInstallation({
  peak_power_kwp: power,
  latitude,
  longitude,
}: Omit<SiteRow, 'organizationId'>): string {
  const parts = [power === null ? '' : `${power} kWp`, latitude === null ? '' : `${latitude}, ${longitude}`];
  return parts.filter((part) => part !== '').join('; ');
}

/** As audit entries have it. */
function describeUpdates({ channel, automatic }: SiteUpdates): string {
  return `${channel}, ${automatic ? 'automatic' : 'by hand'}`;
}
