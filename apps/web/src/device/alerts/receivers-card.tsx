import {
  listNotificationReceivers,
  type NotificationReceiver,
  type NotificationTest,
  testNotificationReceivers,
} from '@heliograph/client';
import { Button, Group, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { Empty } from '../../shared/components/states/empty.tsx';
import { Failure } from '../../shared/components/states/failure.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { device } from '../session/device.ts';

const receiversQuery = queryOptions({
  queryKey: ['notification-receivers'],
  queryFn: ({ signal }) => listNotificationReceivers(device, signal),
});

/** The servers that the device sends alerts to by itself, with a test of all of them. */
export function ReceiversCard() {
  const { t } = useTranslation('receivers');
  const { data, error, refetch } = useQuery(receiversQuery);
  return (
    <Card title={t('title')}>
      {data !== undefined ? (
        <Receivers receivers={data} />
      ) : error === null ? (
        <Loading />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
    </Card>
  );
}

function Receivers({ receivers }: { readonly receivers: readonly NotificationReceiver[] }) {
  const { t } = useTranslation('receivers');
  const [tests, setTests] = useState<readonly NotificationTest[]>([]);
  const { submit, isPending, error } = useSubmit(() => testNotificationReceivers(device), {
    onDone: setTests,
  });
  if (receivers.length === 0) return <Empty title={t('none')}>{t('noneText')}</Empty>;
  return (
    <>
      <Text>{t('text')}</Text>
      <div role="status">
        <ul>
          {receivers.map((receiver) => (
            <li key={receiver.index}>
              <Receiver receiver={receiver} test={tests.find(({ index }) => index === receiver.index)} />
            </li>
          ))}
        </ul>
      </div>
      <FormError error={error} />
      <Group>
        <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
          {t('test')}
        </Button>
      </Group>
    </>
  );
}

const KINDS = { ntfy: 'ntfy', smtp: 'mail' } as const;

interface ReceiverProps {
  readonly receiver: NotificationReceiver;
  /** The outcome of a test message; undefined before one. */
  readonly test: NotificationTest | undefined;
}

function Receiver({ receiver: { kind, host, severity }, test }: ReceiverProps) {
  const { t } = useTranslation('receivers');
  const { t: alerts } = useTranslation('alerts');
  return (
    <>
      <Text>{t(KINDS[kind], { host })}</Text>
      <Text c="dimmed">{t('least', { severity: alerts(`severities.${severity}`) })}</Text>
      {test?.error === null && <Text fw={600}>{t('sent')}</Text>}
      {typeof test?.error === 'string' && (
        <Text fw={600} c="var(--mantine-color-error)">
          {t('notSent', { reason: test.error })}
        </Text>
      )}
    </>
  );
}
