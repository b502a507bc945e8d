import type { Locale, User } from '@heliograph/contracts';

/** The published fields of an account. */
export interface UserRecord {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string | null;
  readonly locale: Locale;
}

/** The columns of `users` that make a `UserRecord`. */
export const USER_COLUMNS = [
  'users.id',
  'users.email',
  'users.first_name as firstName',
  'users.last_name as lastName',
  'users.phone_number as phoneNumber',
  'users.locale',
] as const;

export interface OrganizationName {
  readonly id: number;
  readonly name: string;
}

/** @param organization the organization that the caller's token is scoped to */
export function presentUser(user: UserRecord, organization: OrganizationName | null): User {
  return {
    id: user.id,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    phone_number: user.phoneNumber,
    locale: user.locale,
    organization: organization && { id: organization.id, name: organization.name },
  };
}
