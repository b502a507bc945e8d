import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { useConfiguration } from './configuration-query.ts';
import { SettingsForm } from './settings-form.tsx';
import { TimeZoneField } from './time-zone-field.tsx';

/** The time zone of days, and the period of energy totals. */
export function TimeCard() {
  const { t } = useTranslation('configuration');
  const configuration = useConfiguration();
  const [zone, setZone] = useState(configuration.time_zone);
  const [period, setPeriod] = useState<string>(configuration.energy_period);
  const periods = [
    { value: 'daily', label: t('time.daily') },
    { value: 'weekly', label: t('time.weekly') },
    { value: 'monthly', label: t('time.monthly') },
  ];
  return (
    <Card title={t('time.title')}>
      <SettingsForm change={() => ({ time_zone: zone, energy_period: period })}>
        {(fields) => (
          <>
            <TimeZoneField
              value={zone}
              machineZone={configuration.machine_time_zone}
              error={fields.time_zone}
              onChange={setZone}
            />
            <NativeSelect
              label={t('time.period')}
              description={t('time.periodWhy')}
              value={period}
              error={fields.energy_period}
              onChange={({ currentTarget }) => setPeriod(currentTarget.value)}
              data={periods}
            />
          </>
        )}
      </SettingsForm>
    </Card>
  );
}
