import { useTranslation } from 'react-i18next';
import { ChoiceBar } from '../../shared/components/choice/choice-bar.tsx';
import { SITE_FILTERS, type SiteFilter } from './search.ts';

const FILTER_LABELS = {
  all: 'list.all',
  online: 'list.online',
  offline: 'list.offline',
} as const satisfies Record<SiteFilter, string>;

interface SiteFilterControlProps {
  readonly filter: SiteFilter;
  readonly onChange: (filter: SiteFilter) => void;
}

export function SiteFilterControl({ filter, onChange }: SiteFilterControlProps) {
  const { t } = useTranslation('sites');
  const choices = SITE_FILTERS.map((value) => ({ value, label: t(FILTER_LABELS[value]) }));
  return <ChoiceBar label={t('list.shown')} choices={choices} value={filter} onChange={onChange} />;
}
