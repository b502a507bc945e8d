import { useTranslation } from 'react-i18next';
import classes from './placeholder.module.css';
import { useIsSlow } from './use-is-slow.ts';

/** Reserves the space of a part that is loading, so that the layout does not shift; with words when it takes long. @param height a CSS length */
export function Placeholder({ height }: { readonly height: string }) {
  const { t } = useTranslation();
  const isSlow = useIsSlow();
  return (
    <div className={classes.placeholder} style={{ height }} role="status" aria-label={t('loading')}>
      {isSlow && t('slow')}
    </div>
  );
}
