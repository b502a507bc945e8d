import { useTranslation } from 'react-i18next';
import classes from './loading.module.css';

/** Something is on its way; screen readers are told, too. */
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
