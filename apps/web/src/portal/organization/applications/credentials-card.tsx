import type { ApplicationWithSecret } from '@heliograph/client';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { OnceShownSecret } from '../../../shared/components/copy/secret.tsx';
import { ClientId } from './client-id.tsx';

/** What a program needs to call itself: shown once it is made. */
export function CredentialsCard({ application }: { readonly application: ApplicationWithSecret }) {
  const { t } = useTranslation('organization');
  const { name, client_id: clientId, client_secret: secret } = application;
  return (
    <Card title={t('credentials.title', { name })}>
      <ClientId clientId={clientId} />
      {secret === null ? (
        <Text>{t('credentials.noSecret')}</Text>
      ) : (
        <OnceShownSecret label={t('credentials.secret')} secret={secret} />
      )}
    </Card>
  );
}
