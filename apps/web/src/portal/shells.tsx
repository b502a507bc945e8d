import { useTranslation } from 'react-i18next';
import { PageTitle } from '../shared/components/title/page-title.tsx';
import { EmptyFrame } from '../shared/shell/framed-shell.tsx';
import type { PrerenderedShell } from '../shared/shell/prerendered-shell.ts';
import bare from './frame/bare-page.module.css';
import { RegisterPrompt } from './identity/entry/sign-in/register-prompt.tsx';
import { HomePicture } from './identity/entry/welcome/home-picture.tsx';
import welcome from './identity/entry/welcome/welcome.module.css';
import { WelcomeIntro, WelcomePoints } from './identity/entry/welcome/welcome-content.tsx';
import { SitesShell } from './sites/list/sites-shell.tsx';
import { sitesPages } from './sites/pages.ts';
import { OverviewShell } from './sites/site/overview/overview-shell.tsx';

/** Paths that require a session. */
const INSIDE = ['/sites/*?', '/shop/*?', '/user/*?', '/organizations/*?', '/operator/*?'] as const;

/** Pages that the pattern of a site would take. */
const BELOW_SITES = sitesPages.map(({ path }) => path).filter((path) => path !== '/sites');

export const shells: readonly PrerenderedShell[] = [
  { path: '/', sessionHint: 'signed-out', Shell: Welcome },
  { path: '/sign_in', sessionHint: 'signed-out', Shell: SignIn },
  { path: '/sites', sessionHint: 'signed-in', Shell: SitesShell },
  ...BELOW_SITES.map((path): PrerenderedShell => ({ path, sessionHint: 'signed-in', Shell: EmptyFrame })),
  { path: '/sites/:id', sessionHint: 'signed-in', Shell: OverviewShell },
  ...INSIDE.map((path): PrerenderedShell => ({ path, sessionHint: 'signed-out', Shell: SignIn })),
  ...INSIDE.map((path): PrerenderedShell => ({ path, sessionHint: 'signed-in', Shell: EmptyFrame })),
];

function Welcome() {
  return (
    <div className={welcome.page}>
      <header className={welcome.header} />
      <main className={welcome.main}>
        <WelcomeIntro />
        <HomePicture />
        <WelcomePoints />
      </main>
    </div>
  );
}

function SignIn() {
  const { t } = useTranslation('entry');
  return (
    <div className={bare.page}>
      <header />
      <main className={bare.card}>
        <PageTitle text={t('signIn.title')} />
        <RegisterPrompt link={<span />} />
      </main>
    </div>
  );
}
