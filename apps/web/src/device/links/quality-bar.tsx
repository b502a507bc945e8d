import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/format/use-format.ts';
import classes from './links.module.css';

/** Below this share of answers somebody should look at the cable, in percent. */
const LOW_PERCENT = 90;

/** How many polls of the last minute were answered. @param percent null before the first */
export function QualityBar({ percent }: { readonly percent: number | null }) {
  const { t } = useTranslation('configuration');
  const format = useFormat();
  if (percent === null) return <p className={classes.address}>{t('links.noQuality')}</p>;
  const words = t('links.quality', { percent: format.number(percent) });
  return (
    <div className={classes.quality}>
      <span>{words}</span>
      <div className={classes.track} aria-hidden="true">
        <div
          className={classes.filled}
          data-is-low={percent < LOW_PERCENT}
          style={{ width: `${percent}%` }}
        />
      </div>
      {percent < LOW_PERCENT && <span>{t('links.lowQuality')}</span>}
    </div>
  );
}
