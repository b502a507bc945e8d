import type {
  Organization,
  OrganizationMember,
  OwnOrganization,
  TeamInvitation,
} from '@heliograph/contracts';
import { darkPrimaryColor, primaryColor } from './colors.ts';
import type { EmployeeRecord } from './employee-repository.ts';
import type { OrganizationRecord, OwnOrganizationRecord } from './repository.ts';
import type { PendingEmployee, ReceivedInvitation } from './team-invitation-repository.ts';

/** @param cloudUrl the cloud's public URL */
export function presentOrganization(organization: OrganizationRecord, cloudUrl: string): Organization {
  const { id, logoDigest } = organization;
  return {
    id,
    name: organization.name,
    logo: logoDigest && cloudUrl + logoPath(id, logoDigest),
    color1: organization.color1,
    color_dark1: organization.colorDark1,
    color2: organization.color2,
    color_dark2: organization.colorDark2,
    color_primary: primaryColor(organization),
    color_dark_primary: darkPrimaryColor(organization),
    cloud_host: organization.cloudHost,
  };
}

export function presentOwnOrganization(
  organization: OwnOrganizationRecord,
  cloudUrl: string,
): OwnOrganization {
  return {
    ...presentOrganization(organization, cloudUrl),
    cloud_host_vetted: organization.cloudHostVetted,
    locale: organization.locale,
    requires_second_factor: organization.requiresSecondFactor,
    role: organization.role,
  };
}

/** The immutable address of one version of a logo. */
export function logoPath(organizationId: number, digest: string): string {
  return `/api/v1/organizations/${organizationId}/logo/${digest}`;
}

export function presentEmployee(employee: EmployeeRecord): OrganizationMember {
  return {
    id: employee.id,
    email: employee.email,
    first_name: employee.firstName,
    last_name: employee.lastName,
    role: employee.role,
    pending: false,
    expires_at: null,
  };
}

/** Before an account accepts, the organization sees its email address and the names that the inviter gave. */
export function presentPendingEmployee(invitation: PendingEmployee): OrganizationMember {
  return {
    id: invitation.id,
    email: invitation.email,
    first_name: invitation.firstName,
    last_name: invitation.lastName,
    role: invitation.role,
    pending: true,
    expires_at: invitation.expiresAt.toISOString(),
  };
}

/** @param cloudUrl the cloud's public URL */
export function presentReceivedInvitation(invitation: ReceivedInvitation, cloudUrl: string): TeamInvitation {
  const { organizationId: id, logoDigest } = invitation;
  return {
    organization: {
      id,
      name: invitation.organizationName,
      logo: logoDigest && cloudUrl + logoPath(id, logoDigest),
    },
    role: invitation.role,
    invited_by: invitation.inviterName,
    created_at: invitation.createdAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
  };
}
