import { ApiError } from '@heliograph/client';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { Empty } from '../components/states/empty.tsx';
import { Failure } from '../components/states/failure.tsx';
import { Loading } from '../components/states/loading.tsx';
import { useDefinitions, useLive } from '../live/live-context.tsx';
import { writeLogQuery } from './queries.ts';
import { WriteEntry } from './write-entry.tsx';
import classes from './write-log.module.css';

const FORBIDDEN = 403;

/** Who changed which setting of the hardware, or tried to; the newest first. */
export function WriteLog() {
  const { t } = useTranslation('settings');
  return (
    <Card title={t('log.title')}>
      <Writes />
    </Card>
  );
}

function Writes() {
  const { t } = useTranslation('settings');
  const { device } = useLive();
  const definitions = new Map(useDefinitions().map((definition) => [definition.topic, definition]));
  const log = useInfiniteQuery(writeLogQuery(device));

  if (device === undefined) return <Empty title={t('log.away')} />;
  if (log.error instanceof ApiError && log.error.status === FORBIDDEN) {
    return <Empty title={t('log.mayNot')}>{t('log.mayNotHint')}</Empty>;
  }
  if (log.data === undefined) {
    return log.error === null ? (
      <Loading />
    ) : (
      <Failure error={log.error} onRetry={() => void log.refetch()} />
    );
  }
  const writes = log.data.pages.flat();
  if (writes.length === 0) return <Empty title={t('log.none')}>{t('log.noneHint')}</Empty>;
  return (
    <div className={classes.log}>
      <ol className={classes.entries}>
        {writes.map((write) => (
          <WriteEntry key={write.id} write={write} definition={definitions.get(write.topic)} />
        ))}
      </ol>
      {log.error !== null && <Failure error={log.error} />}
      {log.hasNextPage && (
        <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {t('log.more')}
        </Button>
      )}
    </div>
  );
}
