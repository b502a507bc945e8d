import type { NotificationSettings } from '@heliograph/contracts';
import { Button, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { readersTimeZone } from '../../../shared/format/time-zone.ts';
import { NotificationChannels } from '../../alerting/notifications/notification-channels.tsx';
import { NotificationLog } from '../../alerting/notifications/notification-log.tsx';
import {
  notificationSettingsQuery,
  showNotificationSettings,
} from '../../alerting/notifications/notification-settings.ts';
import { RuleChoice, SiteChoice } from '../../alerting/notifications/notification-subjects.tsx';
import { AccountPage } from '../../frame/account-page.tsx';
import { cloud } from '../../session/cloud.ts';
import { usePortalSession } from '../../session/session.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { tagsOf } from '../../ui/tags/tags-of.ts';

/** The messages that the account gets. */
export function Page() {
  const { t } = useTranslation('notifications');
  const settings = useQuery(notificationSettingsQuery);
  return (
    <AccountPage part={t('title')}>
      <QueryResult query={settings}>
        {(known) => (
          <>
            <Card title={t('title')}>
              <Choices settings={known} onChanged={showNotificationSettings} />
            </Card>
            <NotificationChannels settings={known} onChanged={showNotificationSettings} />
          </>
        )}
      </QueryResult>
      <NotificationLog />
    </AccountPage>
  );
}

const NONE = 'none';
const SEVERITIES = [NONE, 'critical', 'warning', 'information'] as const;
type Choice = (typeof SEVERITIES)[number];

/** In minutes. */
const ESCALATIONS = [NONE, '15', '30', '60', '240'] as const;

const NO_MAILS = 'noMails';
const MAILS = [
  { value: NO_MAILS, label: 'noMails' },
  { value: 'at_once', label: 'atOnce' },
  { value: 'hourly', label: 'hourly' },
  { value: 'daily', label: 'daily' },
] as const;
type Mails = (typeof MAILS)[number]['value'];

interface ChoicesProps {
  readonly settings: NotificationSettings;
  readonly onChanged: (settings: NotificationSettings) => void;
}

/** The severities of alerts, and when messages about them leave. Times are those of this browser's zone. */
function Choices({ settings, onChanged }: ChoicesProps) {
  const { t } = useTranslation(['notifications', 'notificationChoices']);
  const { organizations } = usePortalSession();
  const zone = readersTimeZone() ?? settings.time_zone;
  const form = useApiForm({
    initialValues: {
      severity: (settings.severity ?? NONE) as Choice,
      teamSeverity: (settings.team_severity ?? NONE) as Choice,
      teamTags: settings.team_tags.join(', '),
      escalation: settings.escalation_minutes === null ? NONE : String(settings.escalation_minutes),
      mutedRules: [...settings.muted_rules],
      siteIds: [...settings.site_ids],
      cleared: settings.cleared,
      outages: settings.outages,
      mails: (settings.mail ? settings.digest : NO_MAILS) as Mails,
      quietFrom: settings.quiet_hours?.from ?? '',
      quietUntil: settings.quiet_hours?.until ?? '',
    },
    send: ({ severity, teamSeverity, teamTags, escalation, mails, quietFrom, quietUntil, ...values }) =>
      cloud.changeNotificationSettings({
        severity: severity === NONE ? null : severity,
        muted_rules: values.mutedRules,
        site_ids: values.siteIds,
        cleared: values.cleared,
        outages: values.outages,
        team_severity: teamSeverity === NONE ? null : teamSeverity,
        team_tags: tagsOf(teamTags),
        escalation_minutes: escalation === NONE ? null : Number(escalation),
        mail: mails !== NO_MAILS,
        ...(mails !== NO_MAILS && { digest: mails }),
        quiet_hours: quietFrom === '' || quietUntil === '' ? null : { from: quietFrom, until: quietUntil },
        time_zone: zone,
      }),
    onDone: (changed) => {
      onChanged(changed);
      form.resetDirty();
    },
  });
  const severities = SEVERITIES.map((value) => ({ value, label: t(value) }));
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md" maw="24rem">
        <FormError error={form.error} />
        <NativeSelect label={t('own')} data={severities} {...form.getInputProps('severity')} />
        {organizations.length > 0 && (
          <>
            <NativeSelect label={t('team')} data={severities} {...form.getInputProps('teamSeverity')} />
            <TextInput
              label={t('teamTags')}
              description={t('teamTagsHint')}
              autoComplete="off"
              {...form.getInputProps('teamTags')}
            />
            <NativeSelect
              label={t('escalation')}
              data={[...new Set([...ESCALATIONS, form.values.escalation])].map((minutes) => ({
                value: minutes,
                label: minutes === NONE ? t('none') : t('after', { minutes }),
              }))}
              {...form.getInputProps('escalation')}
            />
            <Switch label={t('outages')} {...form.getInputProps('outages', { type: 'checkbox' })} />
          </>
        )}
        <Switch
          label={t('cleared', { ns: 'notificationChoices' })}
          {...form.getInputProps('cleared', { type: 'checkbox' })}
        />
        <RuleChoice
          value={form.values.mutedRules}
          onChange={(rules) => form.setFieldValue('mutedRules', rules)}
        />
        <SiteChoice value={form.values.siteIds} onChange={(ids) => form.setFieldValue('siteIds', ids)} />
        <NativeSelect
          label={t('mails')}
          data={MAILS.map(({ value, label }) => ({ value, label: t(label) }))}
          {...form.getInputProps('mails')}
        />
        <TextInput type="time" label={t('quietFrom')} {...form.getInputProps('quietFrom')} />
        <TextInput type="time" label={t('quietUntil')} {...form.getInputProps('quietUntil')} />
        <Text size="sm" c="dimmed">
          {t('quietHint', { zone })}
        </Text>
        <Button
          type="submit"
          loading={form.isPending}
          disabled={!form.isDirty()}
          style={{ alignSelf: 'start' }}
        >
          {t('save')}
        </Button>
      </Stack>
    </form>
  );
}
