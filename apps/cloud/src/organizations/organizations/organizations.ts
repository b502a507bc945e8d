import { MAX_LIMIT, type Organization, type OwnOrganization } from '@heliograph/contracts';
import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import { type Page, pageFrom } from '../../db/page.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { listScope } from './policy.ts';
import { presentOrganization, presentOwnOrganization } from './present.ts';
import {
  findOrganization,
  findOrganizationAt,
  type OwnOrganizationRecord,
  selectOrganizations,
  selectOwn,
} from './rows.ts';

/** Public data. @throws NotFound */
export async function getOrganization({ db, cloudUrl }: Platform, id: number): Promise<Organization> {
  return presentOrganization(orNotFound(await findOrganization(db, id)), cloudUrl());
}

/** @param host with its port, as in the request header */
export async function organizationAt(
  { db, cloudUrl }: Platform,
  host: string,
): Promise<Organization | undefined> {
  const organization = await findOrganizationAt(db, host);
  return organization && presentOrganization(organization, cloudUrl());
}

/** @returns undefined when there is none, or more than one */
export async function onlyOrganization({ db, cloudUrl }: Platform): Promise<Organization | undefined> {
  const [first, ...others] = await selectOrganizations(db).limit(2).execute();
  return first && others.length === 0 ? presentOrganization(first, cloudUrl()) : undefined;
}

/** The first page by name. */
export async function employersOf({ db, cloudUrl }: Platform, caller: Caller): Promise<OwnOrganization[]> {
  const organizations = await organizationPage(db, caller, 'own', '', { offset: 0, limit: MAX_LIMIT });
  return organizations.map((organization) => presentOwnOrganization(organization, cloudUrl()));
}

/** The caller's employers, or for operators all, by name. */
export async function listOrganizations(
  { db, cloudUrl }: Platform,
  caller: Caller,
  { query }: InputOf<'listOrganizations'>,
): Promise<OwnOrganization[]> {
  const reach = listScope(caller);
  if (reach === 'none') return [];
  const organizations = await organizationPage(db, caller, reach, query.q?.trim() ?? '', pageFrom(query));
  return organizations.map((organization) => presentOwnOrganization(organization, cloudUrl()));
}

/** By name. @param text part of the name or the host, or the id; empty for all */
function organizationPage(
  db: Database,
  { userId, organizationId }: Caller,
  reach: 'all' | 'own',
  text: string,
  { offset, limit }: Page,
): Promise<OwnOrganizationRecord[]> {
  return selectOwn(db, userId)
    .$if(reach === 'own', (query) => query.where('employees.role', 'is not', null))
    .$if(organizationId !== null, (query) => query.where('organizations.id', '=', organizationId ?? 0))
    .$if(text !== '', (query) => query.where(matchesText(text)))
    .orderBy(sql`organizations.name collate natural_order, organizations.id`)
    .offset(offset)
    .limit(limit)
    .execute();
}

function matchesText(text: string) {
  return sql<SqlBool>`(strpos(folded(organizations.name), folded(${text})) > 0
    or strpos(organizations.cloud_host, folded(${text})) > 0 or organizations.id::text = ${text})`;
}
