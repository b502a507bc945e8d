import { useTranslation } from 'react-i18next';
import type { PrerenderedShell } from '../shared/shell/prerendered-shell.ts';

/** An empty `href` leads to the page that could not be reached. */
const THIS_PAGE = '';

/** The whole page, not only what stands there until scripts run. */
export const shells: readonly PrerenderedShell[] = [
  { path: '/offline', sessionHint: 'signed-out', Shell: Offline },
];

function Offline() {
  const { t } = useTranslation('offline');
  return (
    <main>
      <h1>{t('title')}</h1>
      <p>{t('text')}</p>
      <a href={THIS_PAGE}>{t('retry')}</a>
    </main>
  );
}
