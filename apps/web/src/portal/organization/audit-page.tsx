import type { OwnOrganization } from '@heliograph/client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { AuditFilterBar } from '../parts/audit/audit-filter-bar.tsx';
import { auditFilters, useAuditFilter } from '../parts/audit/audit-filters.ts';
import { AuditList } from '../parts/audit/audit-list.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { lookupsOf } from './lookups.ts';
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
  const filter = useAuditFilter();
  const lookups = useMemo(() => lookupsOf(id), [id]);
  const entries = useInfiniteQuery({
    ...organizationAuditQuery(id, auditFilters(filter.values)),
    placeholderData: keepPreviousData,
  });
  return (
    <Card title={t('audit.title')}>
      <AuditFilterBar filter={filter} lookups={lookups} />
      <QueryResult query={entries}>
        {(list) => <AuditList entries={list} isFiltered={filter.isSet} />}
      </QueryResult>
      <MoreButton list={entries} />
    </Card>
  );
}
