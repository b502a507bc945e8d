import type { AuditQuery } from '@heliograph/client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { AuditFilterBar } from '../../privacy/audit/audit-filter-bar.tsx';
import { auditFilters, useAuditFilter } from '../../privacy/audit/audit-filters.ts';
import { AuditList } from '../../privacy/audit/audit-list.tsx';
import { cloud } from '../../session/cloud.ts';
import { MoreButton } from '../../ui/lists/more-button.tsx';
import { pagedQuery } from '../../ui/lists/paged.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { LOOKUPS } from './lookups.ts';
import { OperatorPage } from './operator-page.tsx';

const auditQuery = (filters: AuditQuery) =>
  pagedQuery(['operator', 'audit', filters], (page) => cloud.listAudit({ ...filters, ...page }));

/** The audit log of the whole service. */
export function Page() {
  const { t } = useTranslation('operator');
  const filter = useAuditFilter();
  const entries = useInfiniteQuery({
    ...auditQuery(auditFilters(filter.values)),
    placeholderData: keepPreviousData,
  });
  return (
    <OperatorPage part={t('audit.title')}>
      <Card title={t('audit.title')}>
        <AuditFilterBar filter={filter} lookups={LOOKUPS} />
        <QueryResult query={entries}>
          {(list) => <AuditList entries={list} isOperators isFiltered={filter.isSet} />}
        </QueryResult>
        <MoreButton list={entries} />
      </Card>
    </OperatorPage>
  );
}
