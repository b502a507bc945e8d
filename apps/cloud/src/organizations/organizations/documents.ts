import { createHash } from 'node:crypto';
import { type DocumentName, MAX_ID, type OrganizationDocument } from '@heliograph/contracts';
import { type Clock, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { recordAudit } from '../../db/audit.ts';
import { SERVICE_NAME } from '../../platform/config/env.ts';
import { orNotFound } from '../../platform/errors.ts';
import { DEFAULT_DOCUMENTS, DOCUMENT_TITLES } from './default-documents.ts';
import type { DocumentRepository } from './document-repository.ts';
import { requireEmployee, requireManager } from './policy.ts';
import type { OrganizationRecord, OrganizationRepository } from './repository.ts';

export interface LegalText {
  readonly title: string;
  /** Name of the organization, or of the service. */
  readonly issuer: string;
  readonly text: string;
}

/** Legal texts: those of organizations, and the service's own where an organization has none. */
export class Documents {
  readonly #organizations: OrganizationRepository;
  readonly #documents: DocumentRepository;
  readonly #clock: Clock;

  constructor(organizations: OrganizationRepository, documents: DocumentRepository, clock: Clock) {
    this.#organizations = organizations;
    this.#documents = documents;
    this.#clock = clock;
  }

  /** @param id null for the text of the service itself @throws NotFound when there is no such organization */
  async ofOrganization(name: DocumentName, id: number | null): Promise<LegalText> {
    if (id === null) return this.#textOf(name, undefined);
    const organization = id <= MAX_ID ? await this.#organizations.find(id) : undefined;
    return this.#textOf(name, orNotFound(organization));
  }

  /** The text of the organization with a vetted host; of the service itself for any other host. */
  async atHost(name: DocumentName, host: string): Promise<LegalText> {
    return this.#textOf(name, await this.#organizations.findByHost(host));
  }

  /** The source of the text, or that of the service's. @throws NotFound; Forbidden */
  async show(caller: Caller, organizationId: number, name: DocumentName): Promise<OrganizationDocument> {
    const organization = orNotFound(await this.#organizations.findFor(caller, organizationId));
    requireEmployee(organization.permissions);
    const text = await this.#documents.find(organizationId, name);
    return { name, text: text ?? DEFAULT_DOCUMENTS[name](organization.name), custom: text !== undefined };
  }

  /** @throws NotFound; Forbidden; ValidationError for a blank text */
  async change(caller: Caller, organizationId: number, name: DocumentName, text: string): Promise<void> {
    if (text.trim() === '') throw new ValidationError({ text: ["can't be blank"] });
    await this.#replace(caller, organizationId, name, text);
  }

  /** Restores the service's text. @throws NotFound; Forbidden */
  remove(caller: Caller, organizationId: number, name: DocumentName): Promise<void> {
    return this.#replace(caller, organizationId, name, undefined);
  }

  #replace(
    caller: Caller,
    organizationId: number,
    name: DocumentName,
    text: string | undefined,
  ): Promise<void> {
    return this.#organizations.withLockedOrganization(caller, organizationId, async (tx, found) => {
      requireManager(orNotFound(found).permissions);
      const before = await this.#documents.find(organizationId, name, tx);
      if (before === text) return;
      if (text === undefined) await this.#documents.remove(tx, organizationId, name);
      else await this.#documents.set(tx, organizationId, name, text);
      const details = { [name]: { from: digestOf(before), to: digestOf(text) } };
      const event = { action: 'organization.changed', organizationId, details } as const;
      await recordAudit(tx, actorOf(caller), new Date(this.#clock.now()), event);
    });
  }

  async #textOf(name: DocumentName, organization: OrganizationRecord | undefined): Promise<LegalText> {
    const title = DOCUMENT_TITLES[name];
    const issuer = organization?.name ?? SERVICE_NAME;
    const own = organization && (await this.#documents.find(organization.id, name));
    return { title, issuer, text: own ?? DEFAULT_DOCUMENTS[name](issuer) };
  }
}

/** Audit records have the digest of a text, not the text. */
function digestOf(text: string | undefined): string | null {
  return text === undefined ? null : createHash('sha256').update(text).digest('hex');
}
