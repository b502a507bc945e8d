import { SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/FloatingIndicator.css';
import { useTranslation } from 'react-i18next';
import { SHOWN, type Shown } from './search.ts';

const WORDS = {
  all: 'list.all',
  online: 'list.online',
  offline: 'list.offline',
} as const satisfies Record<Shown, string>;

interface ShownFilterProps {
  readonly shown: Shown;
  readonly onChange: (shown: Shown) => void;
}

export function ShownFilter({ shown, onChange }: ShownFilterProps) {
  const { t } = useTranslation('sites');
  return (
    <SegmentedControl
      size="md"
      aria-label={t('list.shown')}
      value={shown}
      onChange={onChange}
      data={SHOWN.map((value) => ({ value, label: t(WORDS[value]) }))}
    />
  );
}
