import type { DeviceSupport, SupportAccess } from '@heliograph/contracts';
import { NativeSelect, Radio, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { DelegationsCard } from '../../shared/delegations/delegations-card.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { device } from '../session/device.ts';
import { OfHousehold } from '../support/of-household.tsx';
import { supportQuery } from '../support/support-query.ts';
import classes from './configuration-page.module.css';
import { ConfigurationProblem } from './configuration-problem.tsx';
import { configurationQuery, useConfiguration } from './configuration-query.ts';
import { ConnectionsCard } from './connections/connections-card.tsx';
import { whenInEffect } from './in-effect.ts';
import { MqttCard } from './mqtt-card.tsx';
import { ReadingsCard } from './readings-card.tsx';
import { SettingsForm } from './settings-form.tsx';
import { TimeZoneField } from './time-zone-field.tsx';

/** The configuration of the device. */
export function Page() {
  const { t } = useTranslation('configuration');
  return (
    <Stack gap="lg" maw="48rem">
      <PageTitle text={t('configuration.title')} />
      <Text c="dimmed">{t('configuration.why')}</Text>
      <ConfigurationProblem />
      <nav aria-label={t('configuration.more')} className={classes.more}>
        <Link className={classes.way} href="/claim">
          {t('claim.title')}
        </Link>
        <Link className={classes.way} href="/configuration/system">
          {t('configuration.password')}
        </Link>
        <Link className={classes.way} href="/configuration/backup">
          {t('backup.title')}
        </Link>
        <Link className={classes.way} href="/configuration/diagnostics">
          {t('diagnostics.title')}
        </Link>
      </nav>
      <Delegations />
      <ConnectionsCard />
      <TimeCard />
      <ReadingsCard />
      <MqttCard />
      <NetworkCard />
      <SupportCard />
    </Stack>
  );
}

/** Delegations of the configuration. */
function Delegations() {
  const { delegations } = useConfiguration();
  if (delegations.length === 0) return null;
  return (
    <OfHousehold>
      <DelegationsCard delegations={delegations} onKeep={keep} onEnd={end} />
    </OfHousehold>
  );
}

async function keep(id: string): Promise<void> {
  queries.setQueryData(configurationQuery.queryKey, await device.configuration.keepDelegation(id));
}

async function end(id: string): Promise<void> {
  const written = await device.configuration.endDelegation(id);
  const settled = await whenInEffect(written, { get: () => device.configuration.get() });
  queries.setQueryData(configurationQuery.queryKey, settled ?? written);
}

/** How the device is found on the network of the home, and from where it is reached outside. */
function NetworkCard() {
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

/** The time zone of days, and the period of energy totals. */
function TimeCard() {
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

/** Whether support may be let in at all; it takes effect at once. */
function SupportCard() {
  const { t } = useTranslation('configuration');
  const { data } = useQuery(supportQuery);
  const { submit, error } = useSubmit(useChangeAccess());
  return (
    <Card title={t('support.title')}>
      <OfHousehold>
        <Radio.Group
          label={t('support.setting')}
          description={t('support.settingHint')}
          value={data?.access ?? null}
          onChange={(access) => submit(access === 'never' ? 'never' : 'ask')}
        >
          <Stack gap="sm" mt="sm">
            <Radio value="ask" label={t('support.settingAsk')} disabled={data === undefined} />
            <Radio value="never" label={t('support.settingNever')} disabled={data === undefined} />
          </Stack>
        </Radio.Group>
      </OfHousehold>
      <FormError error={error} />
    </Card>
  );
}

/** The choice shows at once, and is taken back where the device refuses it. */
function useChangeAccess(): (access: SupportAccess) => Promise<DeviceSupport> {
  const queries = useQueryClient();
  return async (access) => {
    queries.setQueryData(supportQuery.queryKey, (before) => before && { ...before, access });
    try {
      return await device.changeSupport({ access });
    } finally {
      void queries.invalidateQueries(supportQuery);
    }
  };
}
