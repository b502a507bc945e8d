import { MAX_ID, type OrganizationChoice } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import type { Database } from '../../db/open.ts';
import type { OrganizationName } from '../users/present.ts';

export const NO_ORGANIZATION = 'does not exist';

const NOT_OF_ACCOUNT =
  'is not one that this account belongs to: sign in with "none", and become its customer with joinOrganization';

/** For an account that has proved itself, by its password or a mailed link. */
export function organizationNotOfAccount(): ValidationError {
  return new ValidationError({ organization_id: [NOT_OF_ACCOUNT] });
}

function organizationNotFound(): ValidationError {
  return new ValidationError({ organization_id: [NO_ORGANIZATION] });
}

export function selectOrganization(db: Database, id: number): Promise<OrganizationName | undefined> {
  return db.selectFrom('organizations').select(['id', 'name']).where('id', '=', id).executeTakeFirst();
}

export async function findOrganization(db: Database, id: number): Promise<OrganizationName | undefined> {
  return id < 1 || id > MAX_ID ? undefined : selectOrganization(db, id);
}

/** @throws ValidationError when there is no such organization */
export async function existingOrganization(db: Database, id: number): Promise<OrganizationName> {
  const organization = await findOrganization(db, id);
  if (organization === undefined) throw organizationNotFound();
  return organization;
}

/** @returns null for `none` @throws ValidationError when there is no such organization */
export async function chosenOrganization(
  db: Database,
  choice: OrganizationChoice | null,
): Promise<OrganizationName | null> {
  return choice === 'none' || choice === null ? null : existingOrganization(db, choice);
}
