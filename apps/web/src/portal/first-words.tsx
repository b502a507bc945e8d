import { useTranslation } from 'react-i18next';
import { PageTitle } from '../shared/components/title/page-title.tsx';
import type { FirstWords } from '../shared/first-words/first-words.ts';
import { EmptyFrame, InFrame } from '../shared/first-words/in-frame.tsx';
import { RegisterPrompt } from './entry/sign-in/register-prompt.tsx';
import { HomePicture } from './entry/welcome/home-picture.tsx';
import welcome from './entry/welcome/welcome.module.css';
import { WelcomeIntro } from './entry/welcome/welcome-intro.tsx';
import { WelcomePoints } from './entry/welcome/welcome-points.tsx';
import bare from './frame/bare-page.module.css';

export { wordsIn } from '../shared/first-words/words-in.tsx';

/** Where nobody gets who is not signed in. */
const INSIDE = ['/sites/*?', '/user/*?', '/organizations/*?', '/operator/*?'] as const;

export const firstWords: readonly FirstWords[] = [
  { path: '/', who: 'signed-out', Words: Welcome },
  { path: '/sign_in', who: 'signed-out', Words: SignIn },
  { path: '/sites', who: 'signed-in', Words: Sites },
  ...INSIDE.map((path): FirstWords => ({ path, who: 'signed-out', Words: SignIn })),
  ...INSIDE.map((path): FirstWords => ({ path, who: 'signed-in', Words: EmptyFrame })),
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

function Sites() {
  const { t } = useTranslation('sites');
  return <InFrame title={t('list.title')} />;
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
