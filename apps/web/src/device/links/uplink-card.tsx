import type { UplinkLink } from '@heliograph/client';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { LinkState } from './link-state.tsx';

/** How the device is reached from outside. @param uplink null where no cloud is configured */
export function UplinkCard({ uplink }: { readonly uplink: UplinkLink | null }) {
  const { t } = useTranslation('configuration');
  const states = {
    offline: { tone: 'bad', label: t('links.uplinkOffline') },
    connecting: { tone: 'waiting', label: t('links.uplinkConnecting') },
    online: { tone: 'good', label: t('links.uplinkOnline') },
  } as const;
  return (
    <Card title={t('links.uplink')}>
      {uplink === null ? (
        <Text c="dimmed">{t('links.noUplink')}</Text>
      ) : (
        <>
          <LinkState {...states[uplink.state]} since={uplink.since} />
          {uplink.reason !== null && <Text>{t('links.reason', { reason: uplink.reason })}</Text>}
          {uplink.proxy !== null && <Text c="dimmed">{t('links.proxy', { proxy: uplink.proxy })}</Text>}
        </>
      )}
    </Card>
  );
}
