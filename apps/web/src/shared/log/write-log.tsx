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

type Definitions = ReadonlyMap<string, MetricDefinition>;

interface WriteEntryProps {
  readonly write: SettingWrite;
  /** Without those of settings that the device no longer has. */
  readonly definitions: Definitions;
}

/** One line of the log: the setting, its old and new value, the time, the author and the outcome. */
function WriteEntry({ write, definitions }: WriteEntryProps) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const heading = useDeviceLabel();
  const { name, change } = useChangeLabels(definitions);
  const sentenceOf = useRefusalSentence();
  const definition = definitions.get(write.topic);
  const reason = reasonOf(write);
  // A device of an earlier version has none of these.
  const { settled_at: settledAt = null, pending = false, also_changed: alsoChanged = [] } = write;
  const { settles_by: settlesBy = null } = write;
  return (
    <li className={classes.entry}>
      <p>
        <span className={classes.name}>{name(write.topic)}</span>
        {definition && (
          <span className={classes.device}>{heading(definition.device, definition.number)}</span>
        )}
      </p>
      <p className={classes.change}>{change(write)}</p>
      <p className={classes.outcome} data-tone={OUTCOME_TONES[write.outcome]}>
        {outcomeLabel(t, write.outcome, pending)}
      </p>
      {reason !== undefined && <p className={classes.change}>{sentenceOf({ text: reason })}</p>}
      {alsoChanged.map((other) => (
        <p key={other.topic} className={classes.change}>
          {t('log.alsoChanged', { name: name(other.topic), change: change(other) })}
        </p>
      ))}
      {settledAt !== null && (
        <p className={classes.when}>{t('log.settled', { at: format.dateTime(settledAt) })}</p>
      )}
      {settlesBy !== null && (
        <p className={classes.when}>{t('log.settlesBy', { at: format.dateTime(settlesBy) })}</p>
      )}
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

interface LoggedChange {
  readonly topic: string;
  readonly old_value: string | null;
  readonly new_value: string;
}

/** Labels of settings and of their changes. */
function useChangeLabels(definitions: Definitions) {
  const { t } = useTranslation('settings');
  const shown = useFormatValue();
  const { nameOf, optionOf } = useSettingNames();
  const value = (topic: string, text: string | null): string => {
    const definition = definitions.get(topic);
    return definition?.platform === 'select' && text !== null
      ? optionOf(text)
      : shown(reportedValue(text, definition), definition?.unit ?? '');
  };
  return {
    name: (topic: string): string => {
      const definition = definitions.get(topic);
      return definition === undefined ? topic : nameOf(definition.name);
    },
    change: ({ topic, old_value: before, new_value: after }: LoggedChange): string =>
      t('log.change', { from: value(topic, before), to: value(topic, after) }),
  };
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
          <WriteEntry key={write.id} write={write} definitions={definitions} />
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
