import { createHash } from 'node:crypto';
import { type DocumentName, MAX_ID, type OrganizationDocument } from '@heliograph/contracts';
import { type Clock, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { SERVICE_NAME } from '../../common/config/env.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import type { DocumentRepository } from './document-repository.ts';
import { requireEmployee, requireManager } from './policy.ts';
import type { OrganizationRecord, OrganizationRepository } from './repository.ts';

const DOCUMENT_TITLES: Readonly<Record<DocumentName, string>> = {
  terms: 'Terms of use',
  privacy: 'Privacy',
};

/** Texts for organizations without their own. Each takes the name of the organization, or of the service. */
const DEFAULT_DOCUMENTS: Readonly<Record<DocumentName, (issuer: string) => string>> = {
  terms: (issuer) => `\
# What this is

${issuer} gives you access to your solar system from anywhere: readings of your inverters and batteries, and their settings. By opening an account you accept these terms.

# Your account

Keep your password and your tokens secret: anyone who has them can do everything that you can do. Contact us if you think that another person has them. You decide who gets access to your sites, and you can end that access at any time.

# Settings change real equipment

A setting that you write takes effect on the inverter at once and cannot be undone by us. Wrong settings can damage batteries and inverters or leave a house without power. Change only what you understand, or ask your installer.

# Availability

The service is provided as it is. Readings can be late, missing or wrong, and the service can be interrupted. Do not rely on it where safety depends on it: the protective devices of your installation must work without it.

# Fair use

Do not try to get into sites that are not yours, do not overload the service, and do not use it for anything unlawful. Accounts that do may be closed.

# Ending

You can stop using the service at any time and have your account deleted. If these terms change, we inform you before the change takes effect.
`,
  privacy: (issuer) => `\
# What is kept

${issuer} keeps what it needs to serve you:

- your account: email address, name, phone number if you gave one, language
- your sites: their names, who has access, what kind of inverter and battery they have
- your devices: their identifier, software version, when they last called and from which network address
- a record of changes to access, ownership and tokens, with the network address they came from

Passwords and tokens are kept only in a form from which they cannot be read back.

# What is not kept

Live readings of your system pass through on their way to you and are not stored here. They stay on the device in your home.

# Who sees it

You, the people you gave access to your sites, the installer that your account or site belongs to, and those who run the service. Applications of others see a site only after you agreed to it, and only that site. Nothing is sold.

# Cookies

There are only those that keep you signed in.

# Your rights

You can ask what is kept about you, have it corrected and have it deleted. Ask your installer or the operator of the service.
`,
};

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
