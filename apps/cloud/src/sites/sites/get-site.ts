import type { Site } from '@heliograph/contracts';
import type { Caller } from '../../access/caller.ts';
import { sitePermissions } from '../../access/site-permissions.ts';
import { orNotFound } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import { isSetUp, transferEnd } from '../../db/site-invitations.ts';
import type { DevicePlatform } from '../../devices/platform.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { listMembers } from '../members/rows.ts';
import { type PendingTransferOfSite, presentSite } from './present.ts';
import { findRecord } from './records.ts';

/** @throws NotFound when the site ends meanwhile */
export async function getSite(
  { db, proxies }: DevicePlatform,
  caller: Caller,
  { site: { id } }: Pick<InputOf<'getSite'>, 'site'>,
): Promise<Site> {
  const site = orNotFound(await findRecord(db, caller, id));
  const [members, transfer, directory] = await Promise.all([
    listMembers(db, id),
    findTransfer(db, id),
    proxies.directory(),
  ]);
  return presentSite(site, members, sitePermissions(caller, site), directory, transfer, caller.userId);
}

/** The handover of a site that its new owner has not accepted. */
function findTransfer(db: Database, siteId: number): Promise<PendingTransferOfSite | undefined> {
  return db
    .selectFrom('site_transfers')
    .innerJoin('sites', 'sites.id', 'site_transfers.site_id')
    .innerJoin('users as owners', 'owners.id', 'sites.owner_id')
    .select([
      'former_member_id as formerMemberId',
      isSetUp('owners').as('newOwnerHasAccount'),
      'site_transfers.created_at as at',
      transferEnd('owners').as('until'),
    ])
    .where('site_id', '=', siteId)
    .executeTakeFirst();
}
