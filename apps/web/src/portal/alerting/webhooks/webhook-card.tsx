import type { Webhook, WebhookDelivery, WebhookWithSecret } from '@heliograph/client';
import { Button, Group, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { choiceLabelOf, WebhookForm } from './webhook-form.tsx';

const DAY_MS = 24 * 60 * 60 * 1000;

interface WebhookCardProps {
  readonly webhook: Webhook;
  readonly onChanged: () => void;
  /** With another secret, which is to be shown now. */
  readonly onSecret: (webhook: WebhookWithSecret) => void;
}

/** One webhook, how it fares, and the actions on it. */
export function WebhookCard({ webhook, onChanged, onSecret }: WebhookCardProps) {
  const { t } = useTranslation('webhooks');
  const [isChanging, setChanging] = useState(false);
  const { id, name } = webhook;
  if (isChanging) {
    return (
      <Card title={name}>
        <WebhookForm
          initial={webhook}
          submitLabel={t('save')}
          send={(fields) => withFreshSignIn(() => cloud.updateWebhook({ id, ...fields }))}
          onDone={() => {
            onChanged();
            setChanging(false);
          }}
          onCancel={() => setChanging(false)}
        />
      </Card>
    );
  }
  return (
    <Card title={name}>
      <WebhookFacts webhook={webhook} />
      <WebhookActions {...{ webhook, onChanged, onSecret }} onChange={() => setChanging(true)} />
      <Deliveries id={id} />
    </Card>
  );
}

function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation('webhooks');
  const format = useFormat();
  const { url, types, state, retry_at: retryAt, last_delivered_at: last } = webhook;
  const label = choiceLabelOf(types);
  const states = {
    active: t('states.active'),
    failing: t('states.failing', { time: retryAt === null ? '' : format.dateTime(retryAt) }),
    off: t('states.off'),
    gave_up: t('states.gave_up'),
    suspended: t('states.suspended'),
    gone: t('states.gone'),
  };
  return (
    <Facts
      facts={[
        { name: t('url'), value: url, isLong: true },
        { name: t('events'), value: label === undefined ? types.join(', ') : t(label) },
        { name: t('state'), value: states[state] },
        { name: t('last'), value: last === null ? t('never') : format.ago(last) },
      ]}
    />
  );
}

function WebhookActions({
  webhook: { id, name, state },
  onChanged,
  onSecret,
  onChange,
}: WebhookCardProps & { readonly onChange: () => void }) {
  const { t } = useTranslation(['webhooks', 'delegations']);
  const isOn = state === 'active' || state === 'failing';
  const refreshLog = (): void => void queries.invalidateQueries(deliveriesQuery(id));
  const [tried, setTried] = useState<WebhookDelivery>();
  const test = useSubmit(() => cloud.testWebhook({ id }), { onDone: setTried });
  const turn = useSubmit(() => cloud.updateWebhook({ id, enabled: !isOn }), { onDone: onChanged });
  return (
    <>
      <Group gap="sm">
        <Button variant="default" loading={test.isPending} onClick={() => test.submit(undefined)}>
          {t('test')}
        </Button>
        <Button variant="default" aria-label={t('changeThat', { name })} onClick={onChange}>
          {t('change')}
        </Button>
        {state === 'suspended' ? (
          <Button component={Link} href="/user/security" variant="default">
            {t('title', { ns: 'delegations' })}
          </Button>
        ) : (
          <Button variant="default" loading={turn.isPending} onClick={() => turn.submit(undefined)}>
            {isOn ? t('turnOff') : t('turnOn')}
          </Button>
        )}
        <ConfirmedButton
          label={t('replay')}
          title={t('replayTitle')}
          tone="primary"
          act={() => cloud.replayWebhook({ id, since: new Date(Date.now() - DAY_MS).toISOString() })}
          onDone={refreshLog}
        >
          {t('replayText')}
        </ConfirmedButton>
        <ConfirmedButton
          label={t('newSecret')}
          title={t('newSecretTitle', { name })}
          act={async () => onSecret(await withFreshSignIn(() => cloud.replaceWebhookSecret({ id })))}
        >
          {t('newSecretText')}
        </ConfirmedButton>
        <ConfirmedButton
          label={t('delete')}
          description={t('deleteThat', { name })}
          title={t('deleteTitle', { name })}
          act={() => cloud.deleteWebhook({ id })}
          onDone={onChanged}
        >
          {t('deleteText')}
        </ConfirmedButton>
      </Group>
      <FormError error={test.error ?? turn.error} />
      {tried !== undefined && (
        <Text role="status">
          {tried.error === null
            ? t('tested', { status: tried.status, ms: tried.duration_ms })
            : failureText(t, tried)}
        </Text>
      )}
    </>
  );
}

const deliveriesQuery = (id: number) =>
  queryOptions({
    queryKey: ['webhooks', 'deliveries', id],
    queryFn: () => cloud.listWebhookDeliveries({ id, limit: 20 }),
  });

function Deliveries({ id }: { readonly id: number }) {
  const { t } = useTranslation('webhooks');
  const format = useFormat();
  const deliveries = useQuery(deliveriesQuery(id));
  return (
    <QueryResult query={deliveries}>
      {(list) =>
        list.length > 0 && (
          <details>
            <summary>{t('deliveries')}</summary>
            <Rows label={t('deliveries')}>
              {list.map((delivery) => (
                <Row
                  key={`${delivery.event_id} ${delivery.at}`}
                  title={delivery.event_type}
                  facts={[
                    format.dateTime(delivery.at),
                    t(`outcomes.${delivery.outcome}`),
                    delivery.error === null ? String(delivery.status) : failureText(t, delivery),
                  ]}
                />
              ))}
            </Rows>
          </details>
        )
      }
    </QueryResult>
  );
}

/** In the reader's language, with the English words of the API beside it, which people search for. */
function failureText(t: TFunction<'webhooks'>, { failure, status, error }: WebhookDelivery): string {
  if (failure === null) return error ?? '';
  const text = t(`failures.${failure}`, { status });
  return failure === 'refused' ? text : `${text} (${error})`;
}
