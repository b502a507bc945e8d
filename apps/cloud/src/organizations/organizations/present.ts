import type { Organization, OwnOrganization } from '@heliograph/contracts';
import { darkPrimaryColor, primaryColor } from './colors.ts';
import type { OrganizationRecord, OwnOrganizationRecord } from './rows.ts';

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
