import type { ActivationRequest } from '@heliograph/client';
import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { MoreButton } from '../../ui/lists/more-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { requestsQuery } from './queries.ts';

interface RequestsCardProps {
  /** Shows what this organization decides, and gives it the devices; left out, all that there is. */
  readonly organizationId?: number;
}

export function RequestsCard({ organizationId }: RequestsCardProps) {
  const { t } = useTranslation('organization');
  const requests = useInfiniteQuery(requestsQuery);
  const refresh = async (): Promise<void> => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: requestsQuery.queryKey }),
      queries.invalidateQueries({ queryKey: ['operator', 'devices'] }),
    ]);
  };
  return (
    <Card title={t('requests.title')}>
      <Text c="dimmed">{t('requests.text')}</Text>
      <QueryResult query={requests}>
        {(all) => {
          const list = all.filter(
            (one) => organizationId === undefined || one.organization_id === organizationId,
          );
          return list.length === 0 ? (
            <Empty title={t('requests.none')} />
          ) : (
            <Rows label={t('requests.title')}>
              {list.map((request) => (
                <RequestRow
                  key={request.uid}
                  request={request}
                  organizationId={organizationId}
                  onDecided={() => void refresh()}
                />
              ))}
            </Rows>
          );
        }}
      </QueryResult>
      <MoreButton list={requests} />
    </Card>
  );
}

interface RequestRowProps {
  readonly request: ActivationRequest;
  readonly organizationId: number | undefined;
  readonly onDecided: () => void;
}

function RequestRow({ request, organizationId, onDecided }: RequestRowProps) {
  const { t } = useTranslation('organization');
  const format = useFormat();
  const { uid, user, message, requested_at: since, device } = request;
  return (
    <Row
      title={<code>{uid}</code>}
      facts={[
        user.name || user.email,
        user.name !== '' && user.email,
        t('requests.since', { ago: format.ago(since) }),
        device.board,
        device.inverter,
        device.battery,
      ]}
      actions={
        <>
          <ConfirmedButton
            label={t('requests.activate')}
            description={t('requests.activateThat', { uid })}
            title={t('requests.activateTitle')}
            tone="primary"
            act={() => cloud.activateDevice({ uid, organization_id: organizationId })}
            onDone={onDecided}
          >
            {t('requests.activateText', { uid, email: user.email })}
          </ConfirmedButton>
          <ConfirmedButton
            label={t('requests.decline')}
            description={t('requests.declineThat', { uid })}
            title={t('requests.declineTitle')}
            act={() => cloud.declineActivationRequest({ uid })}
            onDone={onDecided}
          >
            {t('requests.declineText', { uid, email: user.email })}
          </ConfirmedButton>
        </>
      }
    >
      {message !== '' && <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{message}</Text>}
    </Row>
  );
}
