import type { OwnOrganization } from '@heliograph/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { AuditList } from '../parts/audit/audit-list.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { OrganizationPage } from './organization-page.tsx';
import { organizationAuditQuery } from './queries.ts';

export function Page() {
  const { t } = useTranslation('organization');
  return (
    <OrganizationPage part={t('audit.title')} forManagers>
      {(organization) => <AuditCard organization={organization} />}
    </OrganizationPage>
  );
}

function AuditCard({ organization: { id } }: { readonly organization: OwnOrganization }) {
  const { t } = useTranslation('organization');
  const entries = useInfiniteQuery(organizationAuditQuery(id));
  return (
    <Card title={t('audit.title')}>
      <QueryResult query={entries}>{(list) => <AuditList entries={list} />}</QueryResult>
      <MoreButton list={entries} />
    </Card>
  );
}
