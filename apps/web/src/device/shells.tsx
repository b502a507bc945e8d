import { useTranslation } from 'react-i18next';
import { EmptyFrame, FramedShell } from '../shared/shell/framed-shell.tsx';
import type { PrerenderedShell } from '../shared/shell/prerendered-shell.ts';
import { BarePage } from './frame/bare-page.tsx';
import { PasswordHint } from './sign-in/password-hint.tsx';

/** Without a session every path shows the sign-in. */
export const shells: readonly PrerenderedShell[] = [
  { path: '*', sessionHint: 'signed-out', Shell: SignIn },
  { path: '/', sessionHint: 'signed-in', Shell: Overview },
  { path: '/history', sessionHint: 'signed-in', Shell: History },
  { path: '/settings', sessionHint: 'signed-in', Shell: Settings },
  { path: '*', sessionHint: 'signed-in', Shell: EmptyFrame },
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
  return <FramedShell title={t('overview.title')} />;
}

function History() {
  const { t } = useTranslation('history');
  return <FramedShell title={t('title')} />;
}

function Settings() {
  const { t } = useTranslation('device');
  return <FramedShell title={t('settings.title')} />;
}
