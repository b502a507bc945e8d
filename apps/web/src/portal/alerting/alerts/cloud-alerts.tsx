import type { SiteAlert } from '@heliograph/contracts';
import { Button, Group, NativeSelect, Stack, Textarea } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { AlertEntry } from '../../../shared/alerts/alert-entry.tsx';
import classes from '../../../shared/alerts/alerts.module.css';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { Failure } from '../../../shared/components/states/failure.tsx';
import { Loading } from '../../../shared/components/states/loading.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { cloud } from '../../session/cloud.ts';
import { useDurationLabel } from '../../ui/duration-label.ts';
import { SiteBadge } from '../../ui/named-site.tsx';
import { ALERTS_KEY, openAlertsQuery } from '../app/open-alerts.ts';

const NONE = '';
const AS_IT_IS = 'as it is';

/** Lengths of a snooze, in minutes. */
const SNOOZES = [60, 8 * 60, 24 * 60, 7 * 24 * 60] as const;

const MINUTE_MS = 60_000;

interface AlertFormProps {
  readonly alert: SiteAlert;
  readonly onDone: () => void;
}

/** Assigns an alert to a person, snoozes it, and notes something about it. */
function AlertForm({ alert, onDone }: AlertFormProps) {
  const { t } = useTranslation('alertWork');
  const { dateTime } = useFormat();
  const durationLabel = useDurationLabel();
  const { id, site_id: siteId, assignee, snoozed_until: snoozedUntil, note } = alert;
  const { data: assignees = [] } = useQuery({
    queryKey: ['alert_assignees', siteId],
    queryFn: () => cloud.listAlertAssignees({ id: siteId }),
  });
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now();
  const form = useApiForm({
    initialValues: {
      assigneeId: assignee === null ? NONE : String(assignee.id),
      snoozedUntil: isSnoozed ? AS_IT_IS : NONE,
      note: note ?? '',
    },
    send: (values) =>
      cloud.changeSiteAlert({
        id: siteId,
        alert_id: id,
        assignee_id: values.assigneeId === NONE ? null : Number(values.assigneeId),
        ...(values.snoozedUntil !== AS_IT_IS && { snoozed_until: endOfSnooze(values.snoozedUntil) }),
        note: values.note.trim() === '' ? null : values.note,
      }),
    onDone,
  });
  const people = assignees.map((person) => ({ value: String(person.id), label: person.name }));
  // The list is still under way, or the person has lost the site.
  if (assignee !== null && assignees.every((person) => person.id !== assignee.id))
    people.push({ value: String(assignee.id), label: assignee.name });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm" maw="24rem">
        <FormError error={form.error} />
        <NativeSelect
          label={t('assignee')}
          data={[{ value: NONE, label: t('unassigned') }, ...people]}
          {...form.getInputProps('assigneeId')}
        />
        <NativeSelect
          label={t('snooze')}
          data={[
            { value: NONE, label: t('notSnoozed') },
            ...(isSnoozed
              ? [{ value: AS_IT_IS, label: t('snoozed', { time: dateTime(snoozedUntil) }) }]
              : []),
            ...SNOOZES.map((minutes) => ({ value: String(minutes), label: durationLabel(minutes) })),
          ]}
          {...form.getInputProps('snoozedUntil')}
        />
        <Textarea label={t('note')} maxLength={2_000} autosize {...form.getInputProps('note')} />
        <Button type="submit" loading={form.isPending} style={{ alignSelf: 'start' }}>
          {t('save')}
        </Button>
      </Stack>
    </form>
  );
}

/** @param minutes from now; empty for no snooze */
function endOfSnooze(minutes: string): string | null {
  return minutes === NONE ? null : new Date(Date.now() + Number(minutes) * MINUTE_MS).toISOString();
}

const PAGE_SIZE = 20;

interface CloudAlertsProps {
  /** The one site whose alerts are shown; all that the reader sees when left out. */
  readonly siteId?: number;
}

/** Alerts as the cloud has them: of all sites, or of one, also while it is offline. */
export function CloudAlerts({ siteId }: CloudAlertsProps) {
  const { t } = useTranslation('alerts');
  const open = useQuery(openAlertsQuery(siteId));
  const all = useInfiniteQuery({
    queryKey: [...ALERTS_KEY, siteId ?? 'all', 'every'],
    queryFn: ({ pageParam: offset }) => listAlerts(siteId, offset),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (page.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE),
  });
  const cleared = (all.data?.pages.flat() ?? []).filter(({ state }) => state === 'cleared');
  const entryOf = (alert: SiteAlert) => (
    <CloudAlert key={alert.id} alert={alert} showsSite={siteId === undefined} />
  );
  return (
    <>
      <Card title={t('now')}>
        {open.data === undefined && open.error !== null && (
          <Failure error={open.error} onRetry={() => void open.refetch()} />
        )}
        {open.data === undefined && open.error === null && <Loading />}
        {open.data?.length === 0 && <Empty title={t('nothing')}>{t('nothingHint')}</Empty>}
        {open.data !== undefined && open.data.length > 0 && (
          <ul className={classes.list} aria-live="polite">
            {open.data.map(entryOf)}
          </ul>
        )}
      </Card>
      <Card title={t('earlier')}>
        {all.data === undefined && all.error === null && <Loading />}
        {all.error !== null && <Failure error={all.error} onRetry={() => void all.refetch()} />}
        {all.data !== undefined && cleared.length === 0 && <p>{t('noneEarlier')}</p>}
        {cleared.length > 0 && <ul className={classes.list}>{cleared.map(entryOf)}</ul>}
        {all.hasNextPage && (
          <Button variant="default" loading={all.isFetchingNextPage} onClick={() => void all.fetchNextPage()}>
            {t('more')}
          </Button>
        )}
      </Card>
    </>
  );
}

function listAlerts(siteId: number | undefined, offset: number) {
  const query = { offset, limit: PAGE_SIZE };
  return siteId === undefined ? cloud.listAlerts(query) : cloud.listSiteAlerts({ id: siteId, ...query });
}

interface CloudAlertProps {
  readonly alert: SiteAlert;
  readonly showsSite: boolean;
}

/** An alert as the cloud has it. Those who may change it acknowledge it, and assign it, snooze it and note something. */
function CloudAlert({ alert, showsSite }: CloudAlertProps) {
  const { t } = useTranslation(['alerts', 'alertWork']);
  const { dateTime } = useFormat();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: ALERTS_KEY });
  const { submit, isPending, error } = useSubmit(
    (acknowledged: boolean) => cloud.changeSiteAlert({ id: alert.site_id, alert_id: alert.id, acknowledged }),
    { onDone: refresh },
  );
  const { assignee, snoozed_until: snoozedUntil, note, state } = alert;
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now();
  const details = [
    assignee !== null && t('assigned', { ns: 'alertWork', name: assignee.name }),
    isSnoozed && t('snoozed', { ns: 'alertWork', time: dateTime(snoozedUntil) }),
    note,
  ];
  const place = showsSite && (
    <>
      <Link href={`/sites/${alert.site_id}/alerts`}>{alert.site_name ?? `#${alert.site_id}`}</Link>{' '}
      <SiteBadge siteId={alert.site_id} />
      {' · '}
    </>
  );
  const isRaised = state === 'raised';
  return (
    <AlertEntry
      alert={alert}
      place={place}
      details={details.filter((detail) => detail !== false && detail !== null)}
      form={
        isOpen && (
          <AlertForm
            alert={alert}
            onDone={() => {
              setOpen(false);
              // The form goes, and the focus with it.
              opener.current?.focus();
              void refresh();
            }}
          />
        )
      }
    >
      {alert.may_change && state !== 'cleared' && (
        <Group gap="xs" justify="end">
          <Button
            variant={isRaised ? 'default' : 'subtle'}
            loading={isPending}
            onClick={() => submit(isRaised)}
          >
            {isRaised ? t('acknowledge') : t('takeBack', { ns: 'alertWork' })}
          </Button>
          <Button ref={opener} variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t('change', { ns: 'alertWork' })}
          </Button>
          <FormError error={error} />
        </Group>
      )}
    </AlertEntry>
  );
}
