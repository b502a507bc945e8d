import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import classes from './configuration-page.module.css';
import { ConfigurationProblem } from './configuration-problem.tsx';
import { ConnectionsCard } from './connections/connections-card.tsx';
import { Delegations } from './delegations.tsx';
import { MqttCard } from './mqtt-card.tsx';
import { NetworkCard } from './network-card.tsx';
import { ReadingsCard } from './readings-card.tsx';
import { SupportCard } from './support-card.tsx';
import { TimeCard } from './time-card.tsx';

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
