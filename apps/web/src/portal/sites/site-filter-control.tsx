import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { SITE_FILTERS, type SiteFilter } from './search.ts';
import classes from './site-filter-control.module.css';

const FILTER_LABELS = {
  all: 'list.all',
  online: 'list.online',
  offline: 'list.offline',
} as const satisfies Record<SiteFilter, string>;

interface SiteFilterControlProps {
  readonly filter: SiteFilter;
  readonly onChange: (shown: SiteFilter) => void;
}

export function SiteFilterControl({ filter, onChange }: SiteFilterControlProps) {
  const { t } = useTranslation('sites');
  const name = useId();
  return (
    <fieldset className={classes.filter} aria-label={t('list.shown')}>
      {SITE_FILTERS.map((one) => (
        <label key={one} className={classes.choice}>
          <input type="radio" name={name} checked={one === filter} onChange={() => onChange(one)} />
          {t(FILTER_LABELS[one])}
        </label>
      ))}
    </fieldset>
  );
}
