import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PageTitle } from '../../../../shared/components/title/page-title.tsx';
import classes from './welcome.module.css';

/** @param children links to sign in and to register */
export function WelcomeIntro({ children }: { readonly children?: ReactNode }) {
  const { t } = useTranslation('entry');
  return (
    <div className={classes.intro}>
      <div className={classes.title}>
        <PageTitle text={t('welcome.title')} />
      </div>
      <p className={classes.lead}>{t('welcome.text')}</p>
      <div className={classes.ways}>{children}</div>
    </div>
  );
}

export function WelcomePoints() {
  const { t } = useTranslation('entry');
  return (
    <ul className={classes.points}>
      <Point title={t('welcome.live.title')} text={t('welcome.live.text')} />
      <Point title={t('welcome.control.title')} text={t('welcome.control.text')} />
      <Point title={t('welcome.private.title')} text={t('welcome.private.text')} />
    </ul>
  );
}

function Point({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <li className={classes.point}>
      <h2>{title}</h2>
      <p>{text}</p>
    </li>
  );
}
