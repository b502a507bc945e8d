import { MAX_ID, type OrganizationChoice } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import type { OrganizationName } from '../users/present.ts';
import type { AccountRepository } from './repository.ts';

/** No such organization, or none that the account may enter: whoever asks learns no difference. */
export function organizationNotFound(): ValidationError {
  return new ValidationError({ organization_id: ['does not exist'] });
}

/** @throws ValidationError when there is no such organization */
export async function existingOrganization(
  accounts: AccountRepository,
  id: number,
): Promise<OrganizationName> {
  const organization = id < 1 || id > MAX_ID ? undefined : await accounts.organization(id);
  if (organization === undefined) throw organizationNotFound();
  return organization;
}

/** @returns null for `none` @throws ValidationError when there is no such organization */
export async function chosenOrganization(
  accounts: AccountRepository,
  choice: OrganizationChoice | null,
): Promise<OrganizationName | null> {
  return choice === 'none' || choice === null ? null : existingOrganization(accounts, choice);
}
