import type { OrganizationMember, TeamInvitation } from '@heliograph/contracts';
import { logoPath } from '../organizations/present.ts';
import type { EmployeeRecord } from './employee-rows.ts';
import type { PendingEmployee, ReceivedInvitation } from './invitation-rows.ts';

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
