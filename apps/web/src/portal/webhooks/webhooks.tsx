import type { Webhook, WebhookWithSecret } from '@heliograph/client';
import { Button, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { OnceShownSecret } from '../../shared/components/copy/secret.tsx';
import { Empty } from '../../shared/components/states/empty.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { Announcement } from '../parts/announcement.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { cloud } from '../session/cloud.ts';
import { WebhookCard } from './webhook-card.tsx';
import { WebhookForm } from './webhook-form.tsx';

const webhooksQuery = (organizationId: number | null) =>
  queryOptions({
    queryKey: ['webhooks', organizationId],
    queryFn: (): Promise<readonly Webhook[]> =>
      cloud.listWebhooks(organizationId === null ? {} : { organization_id: organizationId }),
  });

/** The webhooks of an organization, or of the reader's account. */
export function Webhooks({ organizationId }: { readonly organizationId: number | null }) {
  const { t } = useTranslation('webhooks');
  const [isMaking, setMaking] = useState(false);
  const [shown, setShown] = useState<WebhookWithSecret>();
  const query = webhooksQuery(organizationId);
  const webhooks = useQuery(query);
  const refresh = (): void => void queries.invalidateQueries({ queryKey: query.queryKey });
  const showSecret = (webhook: WebhookWithSecret): void => {
    setShown(webhook);
    setMaking(false);
    refresh();
  };
  const startMaking = (): void => {
    setShown(undefined);
    setMaking(true);
  };
  return (
    <>
      <Card title={t('title')} action={!isMaking && <Button onClick={startMaking}>{t('start')}</Button>}>
        <Text>{t('text')}</Text>
        {isMaking && (
          <WebhookForm
            submitLabel={t('make')}
            send={(fields) => cloud.createWebhook({ ...fields, organization_id: organizationId })}
            onDone={showSecret}
            onCancel={() => setMaking(false)}
          />
        )}
      </Card>
      {shown !== undefined && (
        <Announcement>
          <Card title={t('secretOf', { name: shown.name })}>
            <OnceShownSecret label={t('secret')} secret={shown.secret} />
          </Card>
        </Announcement>
      )}
      <QueryResult query={webhooks}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('none')}>{t('noneText')}</Empty>
          ) : (
            list.map((webhook) => (
              <WebhookCard key={webhook.id} webhook={webhook} onChanged={refresh} onSecret={showSecret} />
            ))
          )
        }
      </QueryResult>
    </>
  );
}
