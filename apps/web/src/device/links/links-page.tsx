import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Empty } from '../../shared/components/states/empty.tsx';
import { Failure } from '../../shared/components/states/failure.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { HardwareLinkCard } from './hardware-link-card.tsx';
import { watchedLinksQuery } from './links-query.ts';
import { MqttLinkCard } from './mqtt-link-card.tsx';
import { UplinkCard } from './uplink-card.tsx';

/** How everything that the device talks to does. */
export function Page() {
  const { t } = useTranslation('configuration');
  const links = useQuery(watchedLinksQuery);
  return (
    <Stack gap="lg">
      <PageTitle text={t('links.title')} />
      {links.error !== null && <Failure error={links.error} onRetry={() => void links.refetch()} />}
      {links.data === undefined && links.error === null && <Loading />}
      {links.data?.connections.length === 0 && (
        <Empty title={t('connections.none')}>
          <Text>{t('connections.noneHint')}</Text>
          <Anchor component={Link} href="/probe">
            {t('connections.find')}
          </Anchor>
        </Empty>
      )}
      {links.data?.connections.map((link) => (
        <HardwareLinkCard key={`${link.driver} ${link.bus} ${link.unit}`} link={link} />
      ))}
      {links.data !== undefined && <UplinkCard uplink={links.data.uplink} />}
      {links.data !== undefined && <MqttLinkCard mqtt={links.data.mqtt} />}
    </Stack>
  );
}
