import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './loading.module.css';

/** After so long the indicator alone looks like a failure, in milliseconds. */
const SLOW_MS = 2_500;

/** A loading indicator, which screen readers announce; with words when it takes long. */
export function Loading() {
  const { t } = useTranslation();
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={classes.loading} role="status" aria-label={t('loading')} data-loading="">
      <span className={classes.dot} />
      <span className={classes.dot} />
      <span className={classes.dot} />
      {isSlow && <p className={classes.slow}>{t('slow')}</p>}
    </div>
  );
}
