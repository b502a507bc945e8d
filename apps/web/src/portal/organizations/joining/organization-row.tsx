import type { OwnOrganization } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Row } from '../../ui/lists/rows.tsx';
import { ROLE_LABELS } from '../../ui/organization-roles.ts';

export function OrganizationRow({ organization }: { readonly organization: OwnOrganization }) {
  const { t } = useTranslation('organization');
  const { id, name, role, cloud_host: host } = organization;
  return (
    <Row
      title={<Link href={`/organizations/${id}`}>{name}</Link>}
      facts={[role !== null && t(ROLE_LABELS[role]), host]}
    />
  );
}
