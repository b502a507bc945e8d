import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { RulesCard } from '../../../../shared/alerts/rules-card.tsx';
import { Card } from '../../../../shared/components/card/card.tsx';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../../../shared/components/form/use-api-form.ts';
import { queries } from '../../../../shared/queries/query-client.ts';
import { CloudAlerts } from '../../../alerting/alerts/cloud-alerts.tsx';
import { NotificationQuestion } from '../../../alerting/notifications/notification-question.tsx';
import { cloud } from '../../../session/cloud.ts';
import { useDurationLabel } from '../../../ui/duration-label.ts';
import { QueryResult } from '../../../ui/lists/query-result.tsx';
import { LiveTab } from '../overview/live-tab.tsx';
import { useSite } from '../site-context.tsx';

const NONE = 'none';

/** Choices, in minutes. */
const LIMITS = [5, 15, 30, 60, 4 * 60, 24 * 60] as const;

const offlineAlertQuery = (siteId: number) =>
  queryOptions({
    queryKey: ['site', siteId, 'offline_alert'],
    queryFn: () => cloud.getOfflineAlert({ id: siteId }),
  });

/** The rule of the cloud: after which time without its device a site is offline. */
function OfflineAlertCard() {
  const { t } = useTranslation('alertWork');
  const { site, may } = useSite();
  const query = useQuery(offlineAlertQuery(site.id));
  const mayChange = may('manage');
  return (
    <Card title={t('offlineTitle')}>
      <Text c="dimmed">{t('offlineHint')}</Text>
      <QueryResult query={query}>
        {({ minutes }) => <OfflineAlertForm minutes={minutes} mayChange={mayChange} />}
      </QueryResult>
    </Card>
  );
}

interface OfflineAlertFormProps {
  readonly minutes: number | null;
  readonly mayChange: boolean;
}

function OfflineAlertForm({ minutes, mayChange }: OfflineAlertFormProps) {
  const { t } = useTranslation('alertWork');
  const { site } = useSite();
  const durationLabel = useDurationLabel();
  const form = useApiForm({
    initialValues: { minutes: minutes === null ? NONE : String(minutes) },
    send: (values) =>
      cloud.setOfflineAlert({
        id: site.id,
        minutes: values.minutes === NONE ? null : Number(values.minutes),
      }),
    onDone: (changed) => {
      queries.setQueryData(offlineAlertQuery(site.id).queryKey, changed);
      form.resetDirty();
    },
  });
  const limits = [...new Set([...LIMITS, ...(minutes === null ? [] : [minutes])])].sort((a, b) => a - b);
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm" maw="24rem">
        <FormError error={form.error} />
        <NativeSelect
          label={t('offlineAfter')}
          disabled={!mayChange}
          data={[
            ...limits.map((limit) => ({ value: String(limit), label: durationLabel(limit) })),
            { value: NONE, label: t('offlineNever') },
          ]}
          {...form.getInputProps('minutes')}
        />
        {mayChange && (
          <Button
            type="submit"
            variant="default"
            loading={form.isPending}
            disabled={!form.isDirty()}
            style={{ alignSelf: 'start' }}
          >
            {t('save')}
          </Button>
        )}
      </Stack>
    </form>
  );
}

/** The alerts of the site, as the cloud has them, and the rules that raise them, which are those of its device. */
export function Page() {
  const { site, role } = useSite();
  const isAdmin = role === 'owner' || role === 'admin';
  return (
    <>
      <CloudAlerts siteId={site.id} />
      <OfflineAlertCard />
      <LiveTab>
        <RulesCard mayConfigure={isAdmin} />
      </LiveTab>
      {/* Above, it would push the alerts away from a finger that comes down on them. */}
      {isAdmin && <NotificationQuestion />}
    </>
  );
}
