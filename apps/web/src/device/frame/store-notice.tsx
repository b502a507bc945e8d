import type { DeviceAbout } from '@heliograph/client';
import { Alert, Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useDeviceAbout } from '../../shared/energy/use-device-about.ts';
import { useFormat } from '../../shared/format/use-format.ts';
import { useDeviceSession } from '../session/session.ts';

/** Leads to the page on which the owner mends the stored data, while they cannot be used; shows the data that damage cost. */
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

function LossNotice({ loss }: { readonly loss: StoreLoss }) {
  const { t } = useTranslation('configuration');
  const { dateTime } = useFormat();
  const { at, hours, settings, entries } = loss;
  const isNothing = hours === null && !settings && entries === 0;
  return (
    <Alert color="orange" variant="light" mb="md" title={t('store.lossTitle', { date: dateTime(at) })}>
      {hours !== null && <Text size="sm">{energyText(hours)}</Text>}
      {settings && <Text size="sm">{t('store.lossSettings')}</Text>}
      {entries !== 0 && <Text size="sm">{t('store.lossEntries')}</Text>}
      {isNothing && <Text size="sm">{t('store.lossNothing')}</Text>}
      <Anchor component={Link} href="/alerts" underline="always" size="sm">
        {t('store.lossHint')}
      </Anchor>
    </Alert>
  );

  function energyText({ from, until, count }: NonNullable<StoreLoss['hours']>): string {
    if (until === null) return t('store.lossAll');
    if (from === null) return t('store.lossBefore', { until: dateTime(until) });
    return t('store.lossHours', { from: dateTime(from), until: dateTime(until), hours: count ?? '?' });
  }
}
