import { useTranslation } from 'react-i18next';
import type { FirstWords } from '../shared/first-words/first-words.ts';
import { EmptyFrame, InFrame } from '../shared/first-words/in-frame.tsx';
import { BarePage } from './frame/bare-page.tsx';
import { PasswordHint } from './sign-in/password-hint.tsx';

export { wordsIn } from '../shared/first-words/words-in.tsx';

/** Whoever is signed out signs in, at whatever path. */
export const firstWords: readonly FirstWords[] = [
  { path: '*', who: 'signed-out', Words: SignIn },
  { path: '/', who: 'signed-in', Words: Overview },
  { path: '/history', who: 'signed-in', Words: History },
  { path: '/settings', who: 'signed-in', Words: Settings },
  { path: '*', who: 'signed-in', Words: EmptyFrame },
];

function SignIn() {
  const { t } = useTranslation('device');
  return (
    <BarePage title={t('signIn.title')}>
      <PasswordHint />
    </BarePage>
  );
}

function Overview() {
  const { t } = useTranslation('device');
  return <InFrame title={t('overview.title')} />;
}

function History() {
  const { t } = useTranslation('site');
  return <InFrame title={t('history.title')} />;
}

function Settings() {
  const { t } = useTranslation('device');
  return <InFrame title={t('settings.title')} />;
}
