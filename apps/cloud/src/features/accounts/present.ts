import type { Session, User } from '@heliograph/contracts';

export interface UserRecord {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string | null;
  readonly locale: string;
}

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

export function presentSession(
  token: string,
  expiresAtMs: number,
  user: UserRecord,
  organization: OrganizationName | null,
): Session {
  return { token, expires_at: new Date(expiresAtMs).toISOString(), user: presentUser(user, organization) };
}
