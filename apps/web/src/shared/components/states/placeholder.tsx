import { useTranslation } from 'react-i18next';
import classes from './placeholder.module.css';

/** Keeps the place of what is on its way, so that nothing jumps when it is there. @param height a CSS length */
export function Placeholder({ height }: { readonly height: string }) {
  const { t } = useTranslation();
  return <div className={classes.placeholder} style={{ height }} role="status" aria-label={t('loading')} />;
}
