import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { SHOWN, type Shown } from './search.ts';
import classes from './shown-filter.module.css';

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
  const name = useId();
  return (
    <fieldset className={classes.filter} aria-label={t('list.shown')}>
      {SHOWN.map((one) => (
        <label key={one} className={classes.choice}>
          <input type="radio" name={name} checked={one === shown} onChange={() => onChange(one)} />
          {t(WORDS[one])}
        </label>
      ))}
    </fieldset>
  );
}
