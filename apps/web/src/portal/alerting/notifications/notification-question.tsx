import { Anchor, Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { cloud } from '../../session/cloud.ts';
import { notificationSettingsQuery, showNotificationSettings } from './notification-settings.ts';

const CHOICES = ['critical', 'warning', 'none'] as const;
type Choice = (typeof CHOICES)[number];

/** Asks which alerts are to reach the reader, until the first choice. */
export function NotificationQuestion() {
  const { t } = useTranslation('notifications');
  const { data: settings } = useQuery(notificationSettingsQuery);
  const { submit, isPending, error } = useSubmit(
    (choice: Choice | undefined) =>
      // Without a choice the defaults are stored, and the question does not come back.
      cloud.changeNotificationSettings(
        choice === undefined ? {} : { severity: choice === 'none' ? null : choice },
      ),
    { onDone: showNotificationSettings },
  );
  if (!settings?.is_default) return null;
  return (
    <Card title={t('question')}>
      <Stack gap="md" align="start">
        <Group>
          {CHOICES.map((choice) => (
            <Button key={choice} variant="default" disabled={isPending} onClick={() => submit(choice)}>
              {t(choice)}
            </Button>
          ))}
          <Button variant="subtle" disabled={isPending} onClick={() => submit(undefined)}>
            {t('notNow')}
          </Button>
        </Group>
        <FormError error={error} />
        <Anchor component={Link} href="/user/notifications">
          {t('more')}
        </Anchor>
      </Stack>
    </Card>
  );
}
