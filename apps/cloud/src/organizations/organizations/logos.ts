import { createHash } from 'node:crypto';
import { type Clock, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import { isImage, isImageType } from './image-format.ts';
import type { Logo, LogoRepository } from './logo-repository.ts';
import { requireManager } from './policy.ts';
import { logoPath } from './present.ts';
import type { OrganizationRepository } from './repository.ts';

/** Logos of organizations, for pages and mails. */
export class Logos {
  readonly #organizations: OrganizationRepository;
  readonly #logos: LogoRepository;
  readonly #clock: Clock;

  constructor(organizations: OrganizationRepository, logos: LogoRepository, clock: Clock) {
    this.#organizations = organizations;
    this.#logos = logos;
    this.#clock = clock;
  }

  /** The path of the present logo. @throws NotFound */
  async pathOf(organizationId: number): Promise<string> {
    return logoPath(organizationId, orNotFound(await this.#logos.digest(organizationId)));
  }

  /** @returns undefined when the organization has no logo, or another one */
  find(organizationId: number, digest: string) {
    return this.#logos.find(organizationId, digest);
  }

  /**
   * @throws NotFound; Forbidden; ValidationError when the bytes are no image of the content type
   */
  async set(caller: Caller, organizationId: number, contentType: string, bytes: Buffer): Promise<void> {
    requireManager(orNotFound(await this.#organizations.findFor(caller, organizationId)).permissions);
    await this.#replace(caller, organizationId, readLogo(contentType, bytes));
  }

  /** No change without a logo. @throws NotFound; Forbidden */
  remove(caller: Caller, organizationId: number): Promise<void> {
    return this.#replace(caller, organizationId, null);
  }

  #replace(caller: Caller, organizationId: number, logo: Logo | null): Promise<void> {
    return this.#organizations.withLockedOrganization(caller, organizationId, async (tx, found) => {
      const { permissions, logoDigest: from } = orNotFound(found);
      requireManager(permissions);
      const to = logo?.digest ?? null;
      if (from === to) return;
      if (logo === null) await this.#logos.remove(tx, organizationId);
      else await this.#logos.set(tx, organizationId, logo);
      const event = {
        action: 'organization.changed',
        organizationId,
        details: { logo: { from, to } },
      } as const;
      await recordAudit(tx, actorOf(caller), new Date(this.#clock.now()), event);
    });
  }
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
