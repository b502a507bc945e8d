import { type DeviceAbout, dismissStoreLoss } from '@heliograph/client';
import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useDeviceAbout } from '../../shared/energy/use-device-about.ts';
import { useFormat } from '../../shared/format/use-format.ts';
import { deviceAboutKey } from '../../shared/live/device-key.ts';
import { useLive } from '../../shared/live/live-context.tsx';
import { useDeviceSession } from '../session/session.ts';

/** Leads to the page on which the owner mends the stored data, while they cannot be used; shows the data that another database cost. */
export function StoreNotice() {
  const { t } = useTranslation('configuration');
  const { store_problem: problem } = useDeviceSession();
  const loss = useDeviceAbout()?.store_loss;
  if (problem === null) return loss ? <LossNotice loss={loss} /> : null;
  return (
    <Alert color="red" variant="light" mb="md">
      <Anchor component={Link} href="/store" underline="always">
        {t('store.title')}
      </Anchor>
    </Alert>
  );
}

type StoreLoss = NonNullable<DeviceAbout['store_loss']>;

const LOSS_TITLES = {
  damaged: 'store.lossTitle',
  unreadable: 'store.lossUnreadable',
  replaced: 'store.lossReplaced',
} as const satisfies Record<StoreLoss['cause'], string>;

function LossNotice({ loss }: { readonly loss: StoreLoss }) {
  const { t } = useTranslation('configuration');
  const { date, dateTime } = useFormat();
  const { may_write: mayWrite } = useDeviceSession();
  const { device } = useLive();
  const queries = useQueryClient();
  const dismissal = useMutation({
    mutationFn: async () => device && dismissStoreLoss(device),
    onSuccess: () => queries.invalidateQueries({ queryKey: deviceAboutKey(device) }),
  });
  const { at, cause, hours, days, settings, entries, kept, history, new_identity: isNew } = loss;
  const isNothing = hours === null && days === null && !settings && entries === 0 && !history && !isNew;
  const title = t(LOSS_TITLES[cause], { date: dateTime(at) });
  return (
    <Alert color="orange" variant="light" mb="md" title={title}>
      {isNew && <Text size="sm">{t('store.lossIdentity')}</Text>}
      {hours !== null && <Text size="sm">{energyText(hours)}</Text>}
      {days?.from != null && days.until !== null && (
        <Text size="sm">
          {t('store.lossDays', { from: date(days.from), until: date(days.until), days: days.count ?? '?' })}
        </Text>
      )}
      {settings && <Text size="sm">{t('store.lossSettings')}</Text>}
      {entries !== 0 && <Text size="sm">{t('store.lossEntries')}</Text>}
      {history && <Text size="sm">{t('store.lossHistory')}</Text>}
      {isNothing && <Text size="sm">{t('store.lossNothing')}</Text>}
      {kept !== null && (
        <Text size="sm">{t('store.lossKept', { hours: kept.hours, entries: kept.entries })}</Text>
      )}
      <Group gap="md" mt="xs">
        <Anchor component={Link} href="/alerts" underline="always" size="sm">
          {t('store.lossHint')}
        </Anchor>
        {mayWrite && (
          <Button
            variant="default"
            size="compact-sm"
            loading={dismissal.isPending}
            onClick={() => dismissal.mutate()}
          >
            {t('store.lossHide')}
          </Button>
        )}
      </Group>
    </Alert>
  );

  function energyText({ from, until, count }: NonNullable<StoreLoss['hours']>): string {
    if (until === null) return t('store.lossAll');
    if (from === null) return t('store.lossBefore', { until: dateTime(until) });
    return t('store.lossHours', { from: dateTime(from), until: dateTime(until), hours: count ?? '?' });
  }
}
