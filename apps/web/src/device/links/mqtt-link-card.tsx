import type { MqttLink } from '@heliograph/client';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { LinkState } from './link-state.tsx';

/** How the broker of the home is reached. @param mqtt null where none is configured */
export function MqttLinkCard({ mqtt }: { readonly mqtt: MqttLink | null }) {
  const { t } = useTranslation('configuration');
  const states = {
    connecting: { tone: 'waiting', label: t('links.mqttConnecting') },
    connected: { tone: 'good', label: t('links.mqttConnected') },
    failing: { tone: 'bad', label: t('links.mqttFailing') },
  } as const;
  return (
    <Card title={t('mqtt.title')}>
      {mqtt === null ? (
        <Text c="dimmed">{t('links.noMqtt')}</Text>
      ) : (
        <>
          <LinkState {...states[mqtt.state]} since={mqtt.since} />
          {mqtt.reason !== null && <Text>{t('links.reason', { reason: mqtt.reason })}</Text>}
        </>
      )}
    </Card>
  );
}
