import type { AuditQuery } from '@heliograph/client';
import { AUDIT_ACTIONS } from '@heliograph/contracts/audit-actions';
import { NativeSelect, TextInput } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { useDebouncedText } from '../../shared/components/form/use-debounced-text.ts';
import { AuditList } from '../parts/audit/audit-list.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { pagedQuery } from '../parts/paged.ts';
import { QueryResult } from '../parts/query-result.tsx';
import { useFilter } from '../parts/use-filter.ts';
import { cloud } from '../session/cloud.ts';
import { AUDIT_FILTERS, auditFilters } from './audit-filters.ts';
import classes from './audit-page.module.css';
import { NamedField } from './named-field.tsx';
import { OperatorPage } from './operator-page.tsx';

const auditQuery = (filters: AuditQuery) =>
  pagedQuery(['operator', 'audit', filters], (page) => cloud.listAudit({ ...filters, ...page }));

/** The audit log of the whole service. */
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
          <NamedField
            kind="user"
            label={t('audit.user')}
            value={values.user_id}
            onChange={(id) => set('user_id', id)}
          />
          <NamedField
            kind="site"
            label={t('audit.site')}
            value={values.site_id}
            onChange={(id) => set('site_id', id)}
          />
          <NamedField
            kind="organization"
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

interface ActionSelectProps {
  readonly value: string;
  readonly onChange: (action: string) => void;
}

function ActionSelect({ value, onChange }: ActionSelectProps) {
  const { t } = useTranslation(['operator', 'organization']);
  return (
    <NativeSelect
      label={t('audit.action')}
      value={value}
      data={[
        { value: '', label: t('audit.anything') },
        ...AUDIT_ACTIONS.map((action) => ({
          value: action,
          label: t(`actions.${action}`, { ns: 'organization' }),
        })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface FilterFieldProps {
  readonly label: string;
  readonly value: string;
  /** Called when typing pauses. */
  readonly onChange: (value: string) => void;
}

function FilterField({ label, value, onChange }: FilterFieldProps) {
  const { text, type } = useDebouncedText(value, onChange);
  return (
    <TextInput
      label={label}
      spellCheck={false}
      autoCapitalize="off"
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
