import { Anchor, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, Redirect } from 'wouter';
import { BrandMark } from '../../../frame/brand-mark.tsx';
import { FooterPreferences } from '../../../frame/footer-preferences.tsx';
import { usePortalSession } from '../../../session/session.ts';
import { HomePicture } from './home-picture.tsx';
import classes from './welcome.module.css';
import { WelcomeIntro, WelcomePoints } from './welcome-content.tsx';

/** The landing page without a session. */
export function Page() {
  const { user } = usePortalSession();
  return user === null ? <Welcome /> : <Redirect to="/sites" replace />;
}

function Welcome() {
  const { t } = useTranslation('entry');
  const { home, has_mailbox: hasMailbox } = usePortalSession();
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <BrandMark />
        <Button component={Link} href="/sign_in" variant="subtle">
          {t('signIn.submit')}
        </Button>
      </header>
      <main className={classes.main}>
        <WelcomeIntro>
          <Button component={Link} href="/sign_in" size="lg">
            {t('welcome.signIn')}
          </Button>
          {home !== null && (
            <Button component={Link} href="/register" size="lg" variant="default">
              {t('welcome.register')}
            </Button>
          )}
        </WelcomeIntro>
        <HomePicture />
        <WelcomePoints />
      </main>
      <footer className={classes.footer}>
        <FooterPreferences />
        <nav className={classes.links} aria-label={t('welcome.more')}>
          <Anchor href="/docs">{t('welcome.api')}</Anchor>
          {hasMailbox && <Anchor href="/mailbox">{t('welcome.mailbox')}</Anchor>}
        </nav>
      </footer>
    </div>
  );
}
