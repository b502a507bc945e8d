import { useTranslation } from 'react-i18next';
import classes from './placeholder.module.css';

/** Reserves the space of a part that is loading, so that the layout does not shift. @param height a CSS length */
export function Placeholder({ height }: { readonly height: string }) {
  const { t } = useTranslation();
  return <div className={classes.placeholder} style={{ height }} role="status" aria-label={t('loading')} />;
}
