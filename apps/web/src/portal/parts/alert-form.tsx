import type { SiteAlert } from '@heliograph/contracts';
import { Button, NativeSelect, Stack, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../shared/components/form/use-api-form.ts';
import { useFormat } from '../../shared/format/use-format.ts';
import { cloud } from '../session/cloud.ts';
import { useDurationLabel } from './duration-label.ts';

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
export function AlertForm({ alert, onDone }: AlertFormProps) {
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
