import type { Application } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/format/use-format.ts';
import { Facts } from '../../parts/facts.tsx';
import { Tags } from '../../parts/tags.tsx';
import classes from './applications.module.css';
import { ClientId } from './client-id.tsx';
import { APPLICATION_SCOPE_LABELS } from './scope-labels.ts';

export function ApplicationFacts({ application }: { readonly application: Application }) {
  const { t } = useTranslation('organization');
  const format = useFormat();
  const { client_id: clientId, redirect_uris: uris, client_secret_hint: hint, scopes } = application;
  const { created_at: made, last_used_at: used, browser_only: isPublic } = application;
  const addresses = (
    <ul className={classes.uris}>
      {uris.map((uri) => (
        <li key={uri}>{uri}</li>
      ))}
    </ul>
  );
  const facts = [
    { name: t('credentials.id'), value: <ClientId clientId={clientId} /> },
    { name: t('credentials.secret'), value: isPublic ? t('applications.browser') : <code>{hint}</code> },
    { name: t('applications.redirectUris'), value: uris.length === 0 ? t('applications.noUris') : addresses },
    {
      name: t('applications.scopes'),
      value: (
        <Tags
          label={t('applications.scopes')}
          tags={scopes.map((scope) => t(APPLICATION_SCOPE_LABELS[scope]))}
        />
      ),
    },
    { name: t('applications.madeOn'), value: format.date(made) },
    { name: t('applications.lastUsed'), value: used === null ? t('applications.never') : format.ago(used) },
  ];
  return <Facts facts={facts} />;
}
