import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { Empty } from '../components/states/empty.tsx';
import { Failure } from '../components/states/failure.tsx';
import { Loading } from '../components/states/loading.tsx';
import { useLive } from '../live/live-context.tsx';
import { AuditEntry } from './audit-entry.tsx';
import { auditLogQuery } from './queries.ts';
import classes from './write-log.module.css';

/** Who changed the device itself, looked for hardware, or failed to sign in; for those who may configure it. */
export function AuditLog() {
  const { t } = useTranslation('settings');
  return (
    <Card title={t('audit.title')}>
      <Entries />
    </Card>
  );
}

function Entries() {
  const { t } = useTranslation('settings');
  const { device } = useLive();
  const log = useInfiniteQuery(auditLogQuery(device));

  if (device === undefined) return <Empty title={t('log.away')} />;
  if (log.data === undefined) {
    return log.error === null ? (
      <Loading />
    ) : (
      <Failure error={log.error} onRetry={() => void log.refetch()} />
    );
  }
  const entries = log.data.pages.flat();
  if (entries.length === 0) return <Empty title={t('audit.none')} />;
  return (
    <div className={classes.log}>
      <ol className={classes.entries}>
        {entries.map((entry) => (
          <AuditEntry key={entry.id} entry={entry} />
        ))}
      </ol>
      {log.error !== null && <Failure error={log.error} />}
      {log.hasNextPage && (
        <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {t('audit.more')}
        </Button>
      )}
    </div>
  );
}
