import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ACTION_LABELS, KNOWN_ACTIONS } from '../../parts/audit/action-labels.ts';

interface ActionSelectProps {
  readonly value: string;
  readonly onChange: (action: string) => void;
}

export function ActionSelect({ value, onChange }: ActionSelectProps) {
  const { t } = useTranslation(['operator', 'organization']);
  return (
    <NativeSelect
      label={t('audit.action')}
      value={value}
      data={[
        { value: '', label: t('audit.anything') },
        ...KNOWN_ACTIONS.map((action) => ({
          value: action,
          label: t(ACTION_LABELS[action], { ns: 'organization' }),
        })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
