import { createHash } from 'node:crypto';
import { cleanLines, type DocumentName, MAX_ID, type OrganizationDocument } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { SERVICE_NAME } from '../../common/config/env.ts';
import { orNotFound } from '../../common/errors.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { requireEmployee, requireManager } from '../organizations/policy.ts';
import {
  findOrganization,
  findOrganizationAt,
  findOrganizationFor,
  type OrganizationRecord,
  withLockedOrganization,
} from '../organizations/rows.ts';
import { DEFAULT_DOCUMENTS, DOCUMENT_TITLES } from './default-texts.ts';

export interface LegalText {
  readonly title: string;
  /** Name of the organization, or of the service. */
  readonly issuer: string;
  readonly text: string;
}

/** @param id null for the text of the service itself @throws NotFound when there is no such organization */
export async function legalTextOf(
  platform: Platform,
  name: DocumentName,
  id: number | null,
): Promise<LegalText> {
  if (id === null) return textOf(platform, name, undefined);
  const organization = id <= MAX_ID ? await findOrganization(platform.db, id) : undefined;
  return textOf(platform, name, orNotFound(organization));
}

/** The text of the organization with a vetted host; of the service itself for any other host. */
export async function legalTextAt(platform: Platform, name: DocumentName, host: string): Promise<LegalText> {
  return textOf(platform, name, await findOrganizationAt(platform.db, host));
}

/** The source of the text, or that of the service's. @throws NotFound; Forbidden */
export async function getOrganizationDocument(
  platform: Platform,
  caller: Caller,
  { params: { id: organizationId, name } }: InputOf<'getOrganizationDocument'>,
): Promise<OrganizationDocument> {
  const organization = await findOrganizationFor(platform.db, caller, organizationId);
  requireEmployee(organization.permissions);
  const text = await findText(platform.db, organizationId, name);
  return { name, text: text ?? DEFAULT_DOCUMENTS[name](organization.name), custom: text !== undefined };
}

/** @throws NotFound; Forbidden; ValidationError for a blank text */
export async function setOrganizationDocument(
  platform: Platform,
  caller: Caller,
  { params: { id, name }, body }: InputOf<'setOrganizationDocument'>,
): Promise<OrganizationDocument> {
  // Cleaned and not refused: texts are pasted from programs that add invisible characters.
  const text = cleanLines(body.text);
  if (text.trim() === '') throw new ValidationError({ text: ["can't be blank"] });
  await replace(platform, caller, id, name, text);
  return { name, text, custom: true };
}

/** Restores the service's text. @throws NotFound; Forbidden */
export function removeOrganizationDocument(
  platform: Platform,
  caller: Caller,
  { params }: InputOf<'removeOrganizationDocument'>,
): Promise<void> {
  return replace(platform, caller, params.id, params.name, undefined);
}

function replace(
  platform: Platform,
  caller: Caller,
  organizationId: number,
  name: DocumentName,
  text: string | undefined,
): Promise<void> {
  return withLockedOrganization(platform.db, caller, organizationId, async (tx, { permissions }) => {
    requireManager(permissions);
    const before = await findText(tx, organizationId, name);
    if (before === text) return;
    if (text === undefined) await removeText(tx, organizationId, name);
    else await setText(tx, organizationId, name, text);
    const details = { [name]: { from: digestOf(before), to: digestOf(text) } };
    const event = { action: 'organization.changed', organizationId, details } as const;
    await recordAudit(tx, actorOf(caller), new Date(platform.clock.now()), event);
  });
}

async function textOf(
  platform: Platform,
  name: DocumentName,
  organization: OrganizationRecord | undefined,
): Promise<LegalText> {
  const title = DOCUMENT_TITLES[name];
  const issuer = organization?.name ?? SERVICE_NAME;
  const own = organization && (await findText(platform.db, organization.id, name));
  return { title, issuer, text: own ?? DEFAULT_DOCUMENTS[name](issuer) };
}

/** Audit records have the digest of a text, not the text. */
function digestOf(text: string | undefined): string | null {
  return text === undefined ? null : createHash('sha256').update(text).digest('hex');
}

/** @returns undefined when the organization has no text of its own */
async function findText(
  db: Database,
  organizationId: number,
  name: DocumentName,
): Promise<string | undefined> {
  const document = await db
    .selectFrom('organization_documents')
    .select('text')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst();
  return document?.text;
}

async function setText(
  tx: Database,
  organizationId: number,
  name: DocumentName,
  text: string,
): Promise<void> {
  await tx
    .insertInto('organization_documents')
    .values({ organization_id: organizationId, name, text })
    .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doUpdateSet({ text }))
    .execute();
}

async function removeText(tx: Database, organizationId: number, name: DocumentName): Promise<void> {
  await tx
    .deleteFrom('organization_documents')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .execute();
}
