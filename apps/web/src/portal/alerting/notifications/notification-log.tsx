import type { NotificationRecord } from '@heliograph/contracts';
import { Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { cloud } from '../../session/cloud.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';

/** Messages that wait or are being sent are looked for again after this time, in milliseconds. */
const UNDERWAY_MS = 2_000;
const IDLE_MS = 30_000;

export const notificationLogQuery = queryOptions({
  queryKey: ['account', 'notifications'],
  queryFn: () => cloud.listNotifications({ limit: 50 }),
  refetchInterval: ({ state }) =>
    state.data?.some(({ state: is }) => is === 'waiting' || is === 'sending') ? UNDERWAY_MS : IDLE_MS,
});

const KINDS = {
  raised: 'raised',
  cleared: 'cleared',
  assigned: 'assigned',
  further: 'further',
  began: 'began',
  ended: 'ended',
  test: 'testMessage',
} as const;

/** The messages to the account, with their outcome. */
export function NotificationLog() {
  const { t } = useTranslation('notifications');
  const log = useQuery(notificationLogQuery);
  return (
    <Card title={t('log')}>
      <QueryResult query={log}>
        {(messages) =>
          messages.length === 0 ? (
            <Text c="dimmed">{t('noLog')}</Text>
          ) : (
            <Rows label={t('log')}>
              {messages.map((message) => (
                <Message key={message.id} message={message} />
              ))}
            </Rows>
          )
        }
      </QueryResult>
    </Card>
  );
}

function Message({ message }: { readonly message: NotificationRecord }) {
  const { t } = useTranslation('notifications');
  const format = useFormat();
  const { kind, channel, state, site_id: siteId, due_at: dueAt, sent_at: sentAt, failure } = message;
  const channelName = { mail: t('mail'), push: t('browser'), ntfy: 'ntfy', telegram: 'Telegram' }[channel];
  const outcomes = {
    waiting: t('waiting', { at: format.dateTime(dueAt) }),
    sending: t('waiting', { at: format.dateTime(dueAt) }),
    sent: t('sent', { at: format.dateTime(sentAt ?? dueAt) }),
    failed: t('failed', { reason: failure ?? '' }),
    skipped: t('skipped'),
  };
  const label = t(KINDS[kind], { count: message.further_alerts ?? 0 });
  return (
    <Row
      title={siteId === null ? label : <a href={`/sites/${siteId}/alerts`}>{label}</a>}
      facts={[channelName, outcomes[state], state === 'waiting' && failure]}
    />
  );
}
