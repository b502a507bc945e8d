import { useTranslation } from 'react-i18next';
import { FlowPlaceholder } from '../shared/components/flow/flow-placeholder.tsx';
import { PageTitle } from '../shared/components/title/page-title.tsx';
import { EmptyFrame, FramedShell, PageShell } from '../shared/shell/framed-shell.tsx';
import type { PrerenderedShell } from '../shared/shell/prerendered-shell.ts';
import { UnitsPlaceholder } from '../shared/units/units-placeholder.tsx';
import { BarePage } from './frame/bare-page.tsx';
import overview from './overview/overview-page.module.css';
import { PasswordHint } from './sign-in/password-hint.tsx';

/** Without a session every path shows the sign-in. */
export const shells: readonly PrerenderedShell[] = [
  { path: '*', sessionHint: 'signed-out', Shell: SignIn },
  { path: '/', sessionHint: 'signed-in', Shell: Overview },
  { path: '/history', sessionHint: 'signed-in', Shell: History },
  { path: '/values', sessionHint: 'signed-in', Shell: Values },
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
  return (
    <PageShell>
      <div className={overview.page}>
        <div className={overview.head}>
          <PageTitle text={t('overview.title')} />
        </div>
        <section className={overview.flow}>
          <FlowPlaceholder />
        </section>
        <UnitsPlaceholder />
      </div>
    </PageShell>
  );
}

function History() {
  const { t } = useTranslation('history');
  return <FramedShell title={t('title')} />;
}

function Values() {
  const { t } = useTranslation('metrics');
  return <FramedShell title={t('title')} />;
}

function Settings() {
  const { t } = useTranslation('device');
  return <FramedShell title={t('settings.title')} />;
}
