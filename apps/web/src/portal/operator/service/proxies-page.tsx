import type { ProxySummary } from '@heliograph/client';
import { Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { OperatorPage } from './operator-page.tsx';

const proxiesQuery = queryOptions({
  queryKey: ['operator', 'proxies'],
  queryFn: () => cloud.listProxies(),
});

/** How often a proxy's own news is worth a look, in milliseconds: they announce themselves every few seconds. */
const REFRESH_MS = 10_000;

export function Page() {
  const { t } = useTranslation('operator');
  const proxies = useQuery({ ...proxiesQuery, refetchInterval: REFRESH_MS });
  const refresh = (): void => void queries.invalidateQueries(proxiesQuery);
  return (
    <OperatorPage part={t('proxies.title')}>
      <Card title={t('proxies.title')}>
        <Text c="dimmed">{t('proxies.text')}</Text>
        <QueryResult query={proxies}>
          {(list) =>
            list.length === 0 ? (
              <Empty title={t('proxies.none')}>{t('proxies.noneText')}</Empty>
            ) : (
              <Rows label={t('proxies.title')}>
                {list.map((proxy) => (
                  <ProxyRow key={proxy.name} proxy={proxy} onChanged={refresh} />
                ))}
              </Rows>
            )
          }
        </QueryResult>
      </Card>
    </OperatorPage>
  );
}

const STATES = {
  open: { text: 'proxies.open', tone: 'good' },
  draining: { text: 'proxies.draining', tone: 'warning' },
  gone: { text: 'proxies.gone', tone: 'danger' },
} as const satisfies Record<ProxySummary['state'], object>;

interface ProxyRowProps {
  readonly proxy: ProxySummary;
  readonly onChanged: () => void;
}

function ProxyRow({ proxy, onChanged }: ProxyRowProps) {
  const { t } = useTranslation('operator');
  const format = useFormat();
  const {
    name,
    region,
    region_domain: domain,
    host,
    state,
    sessions,
    capacity,
    announced_at: announcedAt,
  } = proxy;
  const { text, tone } = STATES[state];
  return (
    <Row
      title={
        <>
          {name}
          <StatusBadge tone={tone}>{t(text)}</StatusBadge>
        </>
      }
      facts={[
        t('proxies.sessions', {
          count: sessions,
          number: format.number(sessions),
          capacity: format.number(capacity),
        }),
        t('proxies.region', { region }),
        host,
        domain !== null && `*.${domain}`,
        t('proxies.heard', { ago: format.ago(announcedAt) }),
      ]}
      actions={<ProxyActions proxy={proxy} onChanged={onChanged} />}
    />
  );
}

interface ProxyActionsProps {
  readonly proxy: ProxySummary;
  readonly onChanged: () => void;
}

function ProxyActions({ proxy: { name, state, drain_wanted: isDrainWanted }, onChanged }: ProxyActionsProps) {
  const { t } = useTranslation('operator');
  return (
    <>
      {isDrainWanted ? (
        <ConfirmedButton
          label={t('proxies.undrain')}
          description={t('proxies.undrainThat', { name })}
          title={t('proxies.undrainTitle', { name })}
          tone="primary"
          act={() => cloud.undrainProxy({ name })}
          onDone={onChanged}
        >
          {t('proxies.undrainText')}
        </ConfirmedButton>
      ) : (
        <ConfirmedButton
          label={t('proxies.drain')}
          description={t('proxies.drainThat', { name })}
          title={t('proxies.drainTitle', { name })}
          act={() => cloud.drainProxy({ name })}
          onDone={onChanged}
        >
          {t('proxies.drainText')}
        </ConfirmedButton>
      )}
      {state === 'gone' && (
        <ConfirmedButton
          label={t('proxies.forget')}
          description={t('proxies.forgetThat', { name })}
          title={t('proxies.forgetTitle', { name })}
          act={() => cloud.forgetProxy({ name })}
          onDone={onChanged}
        >
          {t('proxies.forgetText')}
        </ConfirmedButton>
      )}
    </>
  );
}
