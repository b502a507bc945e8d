import { ApiError, type MetricDefinition, type SettingWrite } from '@heliograph/client';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { Empty } from '../components/states/empty.tsx';
import { Failure } from '../components/states/failure.tsx';
import { Loading } from '../components/states/loading.tsx';
import { useDeviceLabel } from '../format/device-label.ts';
import { useFormat } from '../format/use-format.ts';
import { useDefinitions, useLive } from '../live/live-context.tsx';
import { useFormatValue } from '../metrics/use-format-value.ts';
import { type RefusalText, refusalTextOf } from '../settings/refusal.ts';
import { useRefusalSentence } from '../settings/use-refusal-sentence.ts';
import { useSettingNames } from '../settings/use-setting-names.ts';
import { writeLogQuery } from '../settings/write-log-query.ts';
import { reportedValue } from './logged-value.ts';
import { authorLabel, OUTCOME_TONES, outcomeLabel } from './outcome-label.ts';
import classes from './write-log.module.css';

/** Every write of a setting, also the failed ones; the newest first. */
export function WriteLog() {
  const { t } = useTranslation('settings');
  return (
    <Card title={t('log.title')}>
      <Writes />
    </Card>
  );
}

interface WriteEntryProps {
  readonly write: SettingWrite;
  /** Undefined for a setting that the device no longer has. */
  readonly definition: MetricDefinition | undefined;
}

/** One line of the log: the setting, its old and new value, the time, the author and the outcome. */
function WriteEntry({ write, definition }: WriteEntryProps) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const heading = useDeviceLabel();
  const shown = useFormatValue();
  const { nameOf, optionOf } = useSettingNames();
  const sentenceOf = useRefusalSentence();
  const value = (text: string | null): string =>
    definition?.platform === 'select' && text !== null
      ? optionOf(text)
      : shown(reportedValue(text, definition), definition?.unit ?? '');
  const reason = reasonOf(write);
  return (
    <li className={classes.entry}>
      <p>
        <span className={classes.name}>
          {definition === undefined ? write.topic : nameOf(definition.name)}
        </span>
        {definition && (
          <span className={classes.device}>{heading(definition.device, definition.number)}</span>
        )}
      </p>
      <p className={classes.change}>
        {t('log.change', { from: value(write.old_value), to: value(write.new_value) })}
      </p>
      <p className={classes.outcome} data-tone={OUTCOME_TONES[write.outcome]}>
        {outcomeLabel(t, write.outcome)}
      </p>
      {reason !== undefined && <p className={classes.change}>{sentenceOf({ text: reason })}</p>}
      <p className={classes.when}>
        <time dateTime={write.at}>{format.dateTime(write.at)}</time>
        {' · '}
        {authorLabel(t, write)}
      </p>
    </li>
  );
}

/** Undefined where the outcome needs none; devices of earlier versions store no reason. */
function reasonOf({ outcome, reason }: SettingWrite): RefusalText | undefined {
  if (outcome === 'ok' || outcome === 'altered' || reason == null) return undefined;
  return refusalTextOf(reason);
}

const FORBIDDEN = 403;

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
