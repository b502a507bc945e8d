import type { DeviceAuditEntry, DeviceClient } from '@heliograph/client';
import { Button } from '@mantine/core';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { Empty } from '../components/states/empty.tsx';
import { Failure } from '../components/states/failure.tsx';
import { Loading } from '../components/states/loading.tsx';
import { useFormat } from '../format/use-format.ts';
import { deviceKey } from '../live/device-key.ts';
import { useLive } from '../live/live-context.tsx';
import { authorLabel } from './outcome-label.ts';
import classes from './write-log.module.css';

/** Changes of the device itself, probes and failed sign-ins; for readers who may configure it. */
export function AuditLog() {
  const { t } = useTranslation('settings');
  return (
    <Card title={t('audit.title')}>
      <Entries />
    </Card>
  );
}

type T = TFunction<'settings'>;

function actionLabel(t: T, action: DeviceAuditEntry['action']): string {
  switch (action) {
    case 'configuration.change':
      return t('audit.action.configuration');
    case 'configuration.revert':
      return t('audit.action.revert');
    case 'password.set':
      return t('audit.action.passwordSet');
    case 'password.change':
      return t('audit.action.passwordChange');
    case 'restart':
      return t('audit.action.restart');
    case 'password.remove':
      return t('audit.action.passwordRemove');
    case 'backup.create':
      return t('audit.action.backupCreate');
    case 'backup.cloud':
      return t('audit.action.backupCloud');
    case 'backup.restore':
      return t('audit.action.backupRestore');
    case 'support.change':
      return t('audit.action.supportChange');
    case 'tariffs.change':
      return t('audit.action.tariffsChange');
    case 'alert_rules.change':
      return t('audit.action.alertRulesChange');
    case 'support.end':
      return t('audit.action.supportEnd');
    case 'probe':
      return t('audit.action.probe');
    case 'sign_in.fail':
      return t('audit.action.signInFail');
    case 'sign_in.lockout':
      return t('audit.action.lockout');
  }
}

/** Null where the action already implies it. */
function auditOutcomeLabel(t: T, outcome: DeviceAuditEntry['outcome']): string | null {
  switch (outcome) {
    case 'ok':
      return null;
    case 'failed':
      return t('audit.outcome.failed');
    case 'found':
      return t('audit.outcome.found');
    case 'not found':
      return t('audit.outcome.notFound');
    case 'cancelled':
      return t('audit.outcome.cancelled');
    case 'unknown':
      return t('audit.outcome.unknown');
  }
}

const AUDIT_TONES: Readonly<Record<DeviceAuditEntry['outcome'], 'good' | 'bad' | 'unsure'>> = {
  ok: 'good',
  failed: 'bad',
  found: 'good',
  'not found': 'unsure',
  cancelled: 'unsure',
  unknown: 'unsure',
};

/** Stands for an absent value. */
const NOTHING = '–';

/** One line of the audit log: the action, its time, author and origin. */
function AuditEntry({ entry }: { readonly entry: DeviceAuditEntry }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { action, author, address, subject, changes, outcome, at } = entry;
  const outcomeLabel = auditOutcomeLabel(t, outcome);
  const by = author === 'device' ? t('audit.device') : author === 'unknown' ? null : authorLabel(t, entry);
  const origin = address === null ? null : t('audit.from', { address });
  return (
    <li className={classes.entry}>
      <p>
        <span className={classes.name}>{actionLabel(t, action)}</span>
      </p>
      {subject !== null && <p className={classes.change}>{subject}</p>}
      {changes.map((change) => (
        <p key={change.field} className={classes.change}>
          {change.field}: {changeText(change)}
        </p>
      ))}
      {outcomeLabel !== null && (
        <p className={classes.outcome} data-tone={AUDIT_TONES[outcome]}>
          {outcomeLabel}
        </p>
      )}
      <p className={classes.when}>
        <time dateTime={at}>{format.dateTime(at)}</time>
        {[by, origin].map((part) => part !== null && ` · ${part}`)}
      </p>
    </li>
  );

  function changeText({ old_value: from, new_value: to }: DeviceAuditEntry['changes'][number]): string {
    if (from === null && to === 'changed') return t('audit.secret');
    return t('log.change', { from: from ?? NOTHING, to: to ?? NOTHING });
  }
}

const PAGE_SIZE = 20;

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

/** Pages of entries, the newest first. */
function auditLogQuery(device: DeviceClient | undefined) {
  return infiniteQueryOptions({
    queryKey: ['device audit', deviceKey(device)],
    queryFn: async ({ pageParam: before }) =>
      (await device?.audit({ limit: PAGE_SIZE, ...(before !== undefined && { before }) })) ?? [],
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.id),
    enabled: device !== undefined,
  });
}
