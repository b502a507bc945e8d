import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { AuditList } from '../../parts/audit/audit-list.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { OperatorPage } from '../operator-page.tsx';
import { auditQuery } from '../queries.ts';
import { useFilter } from '../use-filter.ts';
import { ActionSelect } from './action-select.tsx';
import { AUDIT_FILTERS, auditFilters } from './audit-filters.ts';
import { FilterField } from './filter-field.tsx';
import classes from './filters.module.css';

/** What happened anywhere in the service. */
export function Page() {
  const { t } = useTranslation('operator');
  const { values, set } = useFilter(...AUDIT_FILTERS);
  const entries = useInfiniteQuery({
    ...auditQuery(auditFilters(values)),
    placeholderData: keepPreviousData,
  });
  return (
    <OperatorPage part={t('audit.title')}>
      <Card title={t('audit.title')}>
        <div className={classes.filters}>
          <ActionSelect value={values.action} onChange={(action) => set('action', action)} />
          <FilterField label={t('audit.user')} value={values.user_id} onChange={(id) => set('user_id', id)} />
          <FilterField label={t('audit.site')} value={values.site_id} onChange={(id) => set('site_id', id)} />
          <FilterField
            label={t('audit.organization')}
            value={values.organization_id}
            onChange={(id) => set('organization_id', id)}
          />
          <FilterField
            label={t('audit.device')}
            value={values.device_uid}
            onChange={(uid) => set('device_uid', uid)}
          />
        </div>
        <QueryResult query={entries}>{(list) => <AuditList entries={list} isOperators />}</QueryResult>
        <MoreButton list={entries} />
      </Card>
    </OperatorPage>
  );
}
