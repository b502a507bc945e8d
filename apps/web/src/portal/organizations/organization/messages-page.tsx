import type { MessageRecipient } from '@heliograph/contracts';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { countOfWanted } from '../../alerting/notifications/rules-of-messages.ts';
import { cloud } from '../../session/cloud.ts';
import { useDurationLabel } from '../../ui/duration-label.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { OrganizationPage } from './organization-page.tsx';

/** Which alerts of the organization's sites reach which of its people. */
export function Page() {
  const { t } = useTranslation('recipients');
  return (
    <OrganizationPage part={t('title')} forManagers>
      {({ id }) => <Recipients organizationId={id} />}
    </OrganizationPage>
  );
}

function Recipients({ organizationId }: { readonly organizationId: number }) {
  const { t } = useTranslation('recipients');
  const query = useQuery({
    queryKey: ['organization', organizationId, 'message_recipients'],
    queryFn: () => cloud.listMessageRecipients({ id: organizationId }),
  });
  return (
    <Card title={t('title')}>
      <Text c="dimmed">{t('hint')}</Text>
      <QueryResult query={query}>
        {(recipients) => (
          <Rows label={t('title')}>
            {recipients.map((recipient) => (
              <Recipient key={recipient.user_id} recipient={recipient} />
            ))}
          </Rows>
        )}
      </QueryResult>
    </Card>
  );
}

const CHANNEL_LABELS = { mail: 'mail', push: 'browser', ntfy: 'ntfy', telegram: 'telegram' } as const;

function Recipient({ recipient }: { readonly recipient: MessageRecipient }) {
  const { t } = useTranslation(['recipients', 'notifications', 'notificationChoices']);
  const durationLabel = useDurationLabel();
  const { name, team_tags: tags, muted_rules: muted, chosen_sites: chosenSites, outages } = recipient;
  const isAnySite = chosenSites !== 0;
  const severity = isAnySite ? recipient.team_severity : null;
  const minutes = isAnySite ? recipient.escalation_minutes : null;
  const channels = recipient.channels.map((channel) =>
    channel === 'ntfy' || channel === 'telegram'
      ? channel
      : t(CHANNEL_LABELS[channel], { ns: 'notifications' }),
  );
  const hasAlerts = severity !== null || minutes !== null;
  return (
    <Row
      title={name}
      facts={[
        severity === null ? t('noAlerts') : t('alerts', { alerts: t(severity, { ns: 'notifications' }) }),
        minutes !== null && t('escalation', { duration: durationLabel(minutes) }),
        hasAlerts && tags.length > 0 && t('tags', { tags: tags.join(', ') }),
        hasAlerts &&
          chosenSites !== null &&
          t('someSites', { ns: 'notificationChoices', count: chosenSites }),
        hasAlerts && muted.length > 0 && t('rules', { ns: 'notificationChoices', ...countOfWanted(muted) }),
        outages && t('outages', { ns: 'notifications' }),
        (hasAlerts || outages) &&
          (channels.length === 0 ? t('noChannel') : t('by', { channels: channels.join(', ') })),
      ]}
    />
  );
}
