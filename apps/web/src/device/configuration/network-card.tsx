import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { OfHousehold } from '../support/of-household.tsx';
import { useConfiguration } from './configuration-query.ts';
import { SettingsForm } from './settings-form.tsx';

/** How the device is found on the network of the home, and from where it is reached outside. */
export function NetworkCard() {
  const { t } = useTranslation('configuration');
  const configuration = useConfiguration();
  const [mdns, setMdns] = useState(configuration.mdns);
  const [region, setRegion] = useState(configuration.region ?? '');
  return (
    <Card title={t('network.title')}>
      <SettingsForm change={() => ({ mdns, region: region.trim() === '' ? null : region.trim() })}>
        {(fields) => (
          <>
            <Switch
              label={t('network.mdns')}
              description={t('network.mdnsWhy')}
              checked={mdns}
              error={fields.mdns}
              onChange={({ currentTarget }) => setMdns(currentTarget.checked)}
            />
            <OfHousehold>
              <TextInput
                label={t('network.region')}
                description={t('network.regionWhy')}
                styles={{ wrapper: { maxWidth: '14rem' } }}
                maxLength={64}
                autoCapitalize="none"
                value={region}
                error={fields.region}
                onChange={({ currentTarget }) => setRegion(currentTarget.value)}
              />
            </OfHousehold>
          </>
        )}
      </SettingsForm>
    </Card>
  );
}
