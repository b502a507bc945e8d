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
import { device } from '../session/device.ts';

const receiversQuery = queryOptions({
  queryKey: ['notification-receivers'],
  queryFn: ({ signal }) => listNotificationReceivers(device, signal),
});

/** The servers that the device sends alerts to by itself, with a test of all of them. */
export function ReceiversCard() {
  const { t } = useTranslation('receivers');
  const { data = [], isSuccess } = useQuery(receiversQuery);
  const [tests, setTests] = useState<readonly NotificationTest[]>([]);
  const { submit, isPending, error } = useSubmit(() => testNotificationReceivers(device), {
    onDone: setTests,
  });
  if (!isSuccess) return null;
  return (
    <Card title={t('title')}>
      {data.length === 0 ? (
        <Empty title={t('none')}>{t('noneText')}</Empty>
      ) : (
        <>
          <Text>{t('text')}</Text>
          <ul role="status">
            {data.map((receiver) => (
              <li key={receiver.index}>
                <Receiver receiver={receiver} test={tests.find(({ index }) => index === receiver.index)} />
              </li>
            ))}
          </ul>
          <FormError error={error} />
          <Group>
            <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
              {t('test')}
            </Button>
          </Group>
        </>
      )}
    </Card>
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
