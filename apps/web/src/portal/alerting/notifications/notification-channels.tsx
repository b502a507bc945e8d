import type { NotificationChannel, NotificationSettings } from '@heliograph/contracts';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { usePortalSession } from '../../session/session.ts';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { PushSwitch } from '../app/push-switch.tsx';
import { notificationLogQuery } from './notification-log.tsx';

interface ChannelsProps {
  readonly settings: NotificationSettings;
  readonly onChanged: (settings: NotificationSettings) => void;
}

/** The channels besides mail, each with a test. */
export function NotificationChannels({ settings, onChanged }: ChannelsProps) {
  const { t } = useTranslation('notifications');
  return (
    <>
      {settings.mail && (
        <Card title={t('mail')}>
          <TestButton channel="mail" />
        </Card>
      )}
      <Browsers />
      <Card title="ntfy">
        {settings.ntfy === null ? (
          <NtfyForm onChanged={onChanged} />
        ) : (
          <SetUp channel="ntfy" target={settings.ntfy.url} change={{ ntfy: null }} onChanged={onChanged} />
        )}
      </Card>
      <Card title="Telegram">
        {settings.telegram === null ? (
          <TelegramForm onChanged={onChanged} />
        ) : (
          <SetUp
            channel="telegram"
            target={settings.telegram.chat_id}
            change={{ telegram: null }}
            onChanged={onChanged}
          />
        )}
      </Card>
    </>
  );
}

interface SetUpProps extends Pick<ChannelsProps, 'onChanged'> {
  readonly channel: NotificationChannel;
  /** The address that messages go to. */
  readonly target: string;
  /** The change that removes it. */
  readonly change: { readonly ntfy: null } | { readonly telegram: null };
}

function SetUp({ channel, target, change, onChanged }: SetUpProps) {
  const { t } = useTranslation('notifications');
  const { submit, isPending, error } = useSubmit(() => cloud.changeNotificationSettings(change), {
    onDone: onChanged,
  });
  return (
    <Stack gap="md" align="start">
      <Text style={{ overflowWrap: 'anywhere' }}>{target}</Text>
      <Group>
        <TestButton channel={channel} />
        <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
          {t('remove')}
        </Button>
      </Group>
      <FormError error={error} />
    </Stack>
  );
}

function NtfyForm({ onChanged }: Pick<ChannelsProps, 'onChanged'>) {
  const { t } = useTranslation('notifications');
  const form = useApiForm({
    initialValues: { url: '', token: '' },
    send: ({ url, token }) =>
      cloud.changeNotificationSettings({ ntfy: { url: url.trim(), token: token.trim() || null } }),
    onDone: onChanged,
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md" maw="24rem">
        <FormError error={form.error} />
        <TextInput
          type="url"
          required
          label={t('ntfyUrl')}
          placeholder="https://ntfy.sh/…"
          autoComplete="off"
          {...form.getInputProps('url')}
        />
        <TextInput label={t('token')} autoComplete="off" {...form.getInputProps('token')} />
        <Button type="submit" variant="default" loading={form.isPending} style={{ alignSelf: 'start' }}>
          {t('save')}
        </Button>
      </Stack>
    </form>
  );
}

function TelegramForm({ onChanged }: Pick<ChannelsProps, 'onChanged'>) {
  const { t } = useTranslation('notifications');
  const form = useApiForm({
    initialValues: { botToken: '', chatId: '' },
    send: ({ botToken, chatId }) =>
      cloud.changeNotificationSettings({
        telegram: { bot_token: botToken.trim(), chat_id: chatId.trim() },
      }),
    onDone: onChanged,
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md" maw="24rem">
        <Text size="sm" c="dimmed">
          {t('telegramHint')}
        </Text>
        <FormError error={form.error} />
        <TextInput required label={t('token')} autoComplete="off" {...form.getInputProps('botToken')} />
        <TextInput required label={t('chatId')} autoComplete="off" {...form.getInputProps('chatId')} />
        <Button type="submit" variant="default" loading={form.isPending} style={{ alignSelf: 'start' }}>
          {t('save')}
        </Button>
      </Stack>
    </form>
  );
}

const subscriptionsQuery = queryOptions({
  queryKey: ['account', 'push_subscriptions'],
  queryFn: () => cloud.listPushSubscriptions(),
});

/** This browser, and the others that messages are pushed to. */
function Browsers() {
  const { t } = useTranslation('notifications');
  const format = useFormat();
  const { data: browsers = [] } = useQuery(subscriptionsQuery);
  const { submit, error } = useSubmit((id: number) => cloud.removePushSubscription({ id }), {
    onDone: () => void queries.invalidateQueries(subscriptionsQuery),
  });
  const { user } = usePortalSession();
  if (user === null) return null;
  return (
    <Card title={t('browsers')} action={browsers.length > 0 && <TestButton channel="push" />}>
      <PushSwitch
        userId={user.id}
        onChange={() => void queries.invalidateQueries({ queryKey: subscriptionsQuery.queryKey })}
      />
      {browsers.length > 0 && (
        <Rows label={t('browsers')}>
          {browsers.map(({ id, label, created_at: at }) => (
            <Row
              key={id}
              title={label}
              facts={[format.date(at)]}
              actions={
                <Button variant="default" onClick={() => submit(id)}>
                  {t('remove')}
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      <FormError error={error} />
    </Card>
  );
}

function TestButton({ channel }: { readonly channel: NotificationChannel }) {
  const { t } = useTranslation('notifications');
  const { submit, isPending, error } = useSubmit(() => cloud.testNotifications({ channel }), {
    onDone: () => void queries.invalidateQueries(notificationLogQuery),
  });
  return (
    <div>
      <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
        {t('test')}
      </Button>
      <FormError error={error} />
    </div>
  );
}
