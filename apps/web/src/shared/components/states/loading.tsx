import { useTranslation } from 'react-i18next';
import classes from './loading.module.css';
import { useIsSlow } from './use-is-slow.ts';

/** A loading indicator, which screen readers announce; with words when it takes long. */
export function Loading() {
  const { t } = useTranslation();
  const isSlow = useIsSlow();
  return (
    <div className={classes.loading} role="status" aria-label={t('loading')} data-loading="">
      <span className={classes.dot} />
      <span className={classes.dot} />
      <span className={classes.dot} />
      {isSlow && <p className={classes.slow}>{t('slow')}</p>}
    </div>
  );
}
