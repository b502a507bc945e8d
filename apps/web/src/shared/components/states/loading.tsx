import { useTranslation } from 'react-i18next';
import classes from './loading.module.css';

/** A loading indicator, which screen readers announce. */
export function Loading() {
  const { t } = useTranslation();
  return (
    <div className={classes.loading} role="status" aria-label={t('loading')} data-loading="">
      <span className={classes.dot} />
      <span className={classes.dot} />
      <span className={classes.dot} />
    </div>
  );
}
