import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { queries } from '../../../shared/queries/query-client.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { Rows } from '../../parts/rows.tsx';
import { OperatorPage } from '../operator-page.tsx';
import { proxiesQuery } from '../queries.ts';
import { ProxyRow } from './proxy-row.tsx';

/** How often a proxy's own news is worth a look, in milliseconds: they announce themselves every few seconds. */
const REFRESH_MS = 10_000;

/** What devices are reached through. */
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
