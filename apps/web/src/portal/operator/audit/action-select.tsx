import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ACTION_TEXTS, KNOWN_ACTIONS } from '../../parts/audit/action-texts.ts';

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
          label: t(ACTION_TEXTS[action], { ns: 'organization' }),
        })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
