import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { OfHousehold } from '../support/of-household.tsx';
import { useConfiguration } from './configuration-query.ts';
import { NumberOrDefault } from './number-or-default.tsx';
import { SettingsForm } from './settings-form.tsx';

/** How often hardware is read and written, and how much of it is kept. */
export function ReadingsCard() {
  const { t } = useTranslation('configuration');
  const configuration = useConfiguration();
  const [interval, setInterval] = useState<number | null>(configuration.poll_interval_s);
  const [writes, setWrites] = useState<number | null>(configuration.setting_writes_per_day);
  const [size, setSize] = useState<number | null>(configuration.history.max_size_mb);
  return (
    <Card title={t('readings.title')}>
      <SettingsForm
        change={() => ({
          poll_interval_s: interval,
          setting_writes_per_day: writes,
          history: { max_size_mb: size },
        })}
      >
        {(fields) => (
          <>
            <NumberOrDefault
              label={t('readings.interval')}
              description={t('readings.intervalWhy')}
              unit="s"
              min={0.05}
              max={3600}
              value={interval}
              error={fields.poll_interval_s}
              onChange={setInterval}
            />
            <OfHousehold>
              <Stack>
                <NumberOrDefault
                  label={t('readings.writes')}
                  description={t('readings.writesWhy')}
                  min={1}
                  max={100_000}
                  value={writes}
                  error={fields.setting_writes_per_day}
                  onChange={setWrites}
                />
                <NumberOrDefault
                  label={t('readings.size')}
                  description={t('readings.sizeWhy')}
                  unit="MB"
                  min={10}
                  max={1_000_000}
                  value={size}
                  error={fields['history.max_size_mb']}
                  onChange={setSize}
                />
              </Stack>
            </OfHousehold>
          </>
        )}
      </SettingsForm>
    </Card>
  );
}
