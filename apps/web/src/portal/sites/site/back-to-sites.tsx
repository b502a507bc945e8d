import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import classes from './back-to-sites.module.css';

/** The way up. It names the view, as `/sites` alone opens the only site of an owner. */
export function BackToSites() {
  const { t } = useTranslation('sites');
  return (
    <nav aria-label={t('path')}>
      <Link className={classes.link} href="/sites?view=cards">
        <span aria-hidden="true">←</span>
        {t('list.title')}
      </Link>
    </nav>
  );
}
