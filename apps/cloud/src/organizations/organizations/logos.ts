import { createHash } from 'node:crypto';
import { ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { type ImageType, isImage, isImageType } from './image-format.ts';
import { requireManager } from './policy.ts';
import { logoPath } from './present.ts';
import { findOrganizationFor, withLockedOrganization } from './rows.ts';

interface Logo {
  readonly mediaType: ImageType;
  /** SHA-256 of the bytes, in hex. */
  readonly digest: string;
  readonly bytes: Buffer;
}

/** The path of the present logo. @throws NotFound */
export async function logoPathOf(platform: Platform, organizationId: number): Promise<string> {
  return logoPath(organizationId, orNotFound(await digestOf(platform.db, organizationId)));
}

/** @returns undefined when the organization has no logo, or another one */
export function findLogo({ db }: Platform, organizationId: number, digest: string) {
  return db
    .selectFrom('organization_logos')
    .select(['media_type as mediaType', 'bytes'])
    .where('organization_id', '=', organizationId)
    .where('digest', '=', digest)
    .executeTakeFirst();
}

/**
 * @throws NotFound; Forbidden; ValidationError when the bytes are no image of the content type
 */
export async function setOrganizationLogo(
  platform: Platform,
  caller: Caller,
  organizationId: number,
  contentType: string,
  bytes: Buffer,
): Promise<void> {
  requireManager((await findOrganizationFor(platform.db, caller, organizationId)).permissions);
  await replace(platform, caller, organizationId, readLogo(contentType, bytes));
}

/** No change without a logo. @throws NotFound; Forbidden */
export function removeOrganizationLogo(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'removeOrganizationLogo'>,
): Promise<void> {
  return replace(platform, caller, params.id, null);
}

function replace(
  platform: Platform,
  caller: Caller,
  organizationId: number,
  logo: Logo | null,
): Promise<void> {
  return withLockedOrganization(
    platform.db,
    caller,
    organizationId,
    async (tx, { permissions, logoDigest: from }) => {
      requireManager(permissions);
      const to = logo?.digest ?? null;
      if (from === to) return;
      if (logo === null) await removeLogo(tx, organizationId);
      else await setLogo(tx, organizationId, logo);
      const event = {
        action: 'organization.changed',
        organizationId,
        details: { logo: { from, to } },
      } as const;
      await recordAudit(tx, actorOf(caller), new Date(platform.clock.now()), event);
    },
  );
}

function readLogo(contentType: string, bytes: Buffer): Logo {
  if (bytes.length === 0) throw new ValidationError({ logo: ["can't be blank"] });
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!isImageType(mediaType)) throw new ValidationError({ logo: ['must be an SVG or PNG image'] });
  if (!isImage(mediaType, bytes))
    throw new ValidationError({
      logo: [
        'must be a whole image of the type that the request says, of at most 4096 by 4096 pixels and without scripts',
      ],
    });
  return { mediaType, digest: createHash('sha256').update(bytes).digest('hex'), bytes };
}

async function digestOf(db: Database, organizationId: number): Promise<string | undefined> {
  const logo = await db
    .selectFrom('organization_logos')
    .select('digest')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return logo?.digest;
}

async function setLogo(
  tx: Database,
  organizationId: number,
  { mediaType, digest, bytes }: Logo,
): Promise<void> {
  const logo = { media_type: mediaType, digest, bytes };
  await tx
    .insertInto('organization_logos')
    .values({ organization_id: organizationId, ...logo })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(logo))
    .execute();
}

async function removeLogo(tx: Database, organizationId: number): Promise<void> {
  await tx.deleteFrom('organization_logos').where('organization_id', '=', organizationId).execute();
}
