import type { Locale, SiteRole } from '@heliograph/contracts';
import type { Generated } from 'kysely';
import type { CreatedAt, Id } from './column-types.ts';

export interface OrganizationsTables {
  organizations: OrganizationTable;
  closed_organizations: ClosedOrganizationTable;
  /** A view. */
  organization_names: OrganizationNameView;
  organization_members: OrganizationMemberTable;
  organization_customers: OrganizationCustomerTable;
  employment_invitations: EmploymentInvitationTable;
  organization_logos: OrganizationLogoTable;
  organization_documents: OrganizationDocumentTable;
  organization_sites: OrganizationSiteTable;
}

interface OrganizationTable {
  id: Id;
  name: string;
  cloud_host: string | null;
  cloud_host_vetted: Generated<boolean>;
  requires_second_factor: Generated<boolean>;
  color1: string | null;
  color_dark1: string | null;
  color2: string | null;
  color_dark2: string | null;
  locale: Locale | null;
  created_at: CreatedAt;
}

interface ClosedOrganizationTable {
  id: number;
  name: string;
  closed_at: Date;
}

interface OrganizationNameView {
  id: number;
  name: string;
}

interface OrganizationMemberTable {
  organization_id: number;
  user_id: number;
  role: SiteRole;
  created_at: CreatedAt;
}

/** Further organizations of a customer. */
interface OrganizationCustomerTable {
  organization_id: number;
  user_id: number;
  created_at: Date;
}

interface EmploymentInvitationTable {
  organization_id: number;
  user_id: number;
  role: SiteRole;
  first_name: string;
  last_name: string;
  invited_by: number | null;
  created_at: Date;
  expires_at: Date;
  mailed_at: Date | null;
}

interface OrganizationLogoTable {
  organization_id: number;
  media_type: string;
  digest: string;
  bytes: Buffer;
}

interface OrganizationDocumentTable {
  organization_id: number;
  name: string;
  text: string;
}

interface OrganizationSiteTable {
  organization_id: number;
  site_id: number;
  granted_by: number | null;
  created_at: Date;
}
