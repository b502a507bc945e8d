import type { OwnOrganization } from '@heliograph/client';

/** The permissions of a person in an organization, as the service grants them. */
export interface OrganizationPermissions {
  /** Owners, admins, and who runs the service. */
  readonly isManager: boolean;
  /** Makes and unmakes owners. */
  readonly isOwner: boolean;
}

/** @param role null for who does not work for it */
export function organizationPermissions(
  role: OwnOrganization['role'],
  isOperator: boolean,
): OrganizationPermissions {
  return {
    isManager: isOperator || role === 'owner' || role === 'admin',
    isOwner: isOperator || role === 'owner',
  };
}
