import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import classes from './welcome.module.css';

/** What this is, in a few words. @param children ways in */
export function WelcomeIntro({ children }: { readonly children?: ReactNode }) {
  const { t } = useTranslation('entry');
  return (
    <div className={classes.words}>
      <div className={classes.title}>
        <PageTitle text={t('welcome.title')} />
      </div>
      <p className={classes.lead}>{t('welcome.text')}</p>
      <div className={classes.ways}>{children}</div>
    </div>
  );
}
