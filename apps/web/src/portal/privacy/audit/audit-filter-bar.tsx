import { AUDIT_ACTIONS } from '@heliograph/contracts/audit-actions';
import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDebouncedText } from '../../../shared/components/form/use-debounced-text.ts';
import { NamedField, type NamedLookup } from '../../ui/named-field.tsx';
import classes from './audit.module.css';
import type { useAuditFilter } from './audit-filters.ts';

interface AuditFilterBarProps {
  readonly filter: ReturnType<typeof useAuditFilter>;
  readonly lookups: {
    readonly user: NamedLookup;
    readonly site: NamedLookup;
    /** For a log with entries of more than one organization. */
    readonly organization?: NamedLookup;
  };
}

/** Chooses entries of an audit log by what happened, who did it, and to what. */
export function AuditFilterBar({ filter: { values, set }, lookups }: AuditFilterBarProps) {
  const { t } = useTranslation('audit');
  const named = [
    { field: 'actor_id', label: t('actor'), lookup: lookups.user },
    { field: 'user_id', label: t('user'), lookup: lookups.user },
    { field: 'site_id', label: t('site'), lookup: lookups.site },
    { field: 'organization_id', label: t('organization'), lookup: lookups.organization },
  ] as const;
  return (
    <div className={classes.filters}>
      <ActionSelect value={values.action} onChange={(action) => set('action', action)} />
      {named.map(
        ({ field, label, lookup }) =>
          lookup !== undefined && (
            <NamedField
              key={field}
              label={label}
              lookup={lookup}
              value={values[field]}
              onChange={(id) => set(field, id)}
            />
          ),
      )}
      <DeviceField value={values.device_uid} onChange={(uid) => set('device_uid', uid)} />
    </div>
  );
}

interface FilterProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ActionSelect({ value, onChange }: FilterProps) {
  const { t } = useTranslation(['audit', 'organization']);
  return (
    <NativeSelect
      label={t('action')}
      value={value}
      data={[
        { value: '', label: t('anything') },
        ...AUDIT_ACTIONS.map((action) => ({
          value: action,
          label: t(`actions.${action}`, { ns: 'organization' }),
        })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function DeviceField({ value, onChange }: FilterProps) {
  const { t } = useTranslation('audit');
  const { text, type } = useDebouncedText(value, onChange);
  return (
    <TextInput
      label={t('device')}
      spellCheck={false}
      autoCapitalize="off"
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
