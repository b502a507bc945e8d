import type { WebhookWithSecret } from '@heliograph/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { OnceShownSecret } from '../../../shared/components/copy/secret.tsx';
import { queries } from '../../../shared/queries/query-client.ts';
import { SecretCards } from '../../access/secret-cards.tsx';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { WebhookCard } from './webhook-card.tsx';
import { WebhookForm } from './webhook-form.tsx';

const webhooksQuery = (organizationId: number | null) =>
  queryOptions({
    queryKey: ['webhooks', organizationId],
    queryFn: () => cloud.listWebhooks(organizationId === null ? {} : { organization_id: organizationId }),
  });

/** The webhooks of an organization, or of the reader's account. */
export function Webhooks({ organizationId }: { readonly organizationId: number | null }) {
  const { t } = useTranslation('webhooks');
  const query = webhooksQuery(organizationId);
  return (
    <SecretCards
      entries={useQuery(query)}
      onChanged={() => void queries.invalidateQueries(query)}
      labels={{
        title: t('title'),
        text: t('text'),
        start: t('start'),
        none: t('none'),
        noneText: t('noneText'),
      }}
      form={({ onMade, onCancel }) => (
        <WebhookForm
          submitLabel={t('make')}
          send={(fields) =>
            withFreshSignIn(() => cloud.createWebhook({ ...fields, organization_id: organizationId }))
          }
          onDone={onMade}
          onCancel={onCancel}
        />
      )}
      secret={({ name, secret }: WebhookWithSecret) => (
        <Card title={t('secretOf', { name })}>
          <OnceShownSecret label={t('secret')} secret={secret} />
        </Card>
      )}
      card={(webhook, actions) => <WebhookCard key={webhook.id} webhook={webhook} {...actions} />}
    />
  );
}
