import type { TicketState, TicketWithMessages } from '@heliograph/contracts';
import { Button, Checkbox, Group, NativeSelect, Stack, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../shared/components/form/use-api-form.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { cloud } from '../session/cloud.ts';
import { AttachmentsField } from '../support/attachments-field.tsx';
import { useAttachments } from '../support/use-attachments.ts';
import { ticketQuery, ticketsKey } from './queries.ts';
import classes from './staff.module.css';
import { NEXT_STATES, STATE_LABELS } from './ticket-labels.ts';

/** An answer to the customer, or a note among those who handle the ticket. */
export function ReplyForm({ ticket: { id, state } }: { readonly ticket: TicketWithMessages }) {
  const { t } = useTranslation('staff');
  const attachments = useAttachments();
  const form = useApiForm({
    initialValues: { body: '', isNote: false, next: '' as TicketState | '' },
    send: ({ body, isNote, next }) =>
      cloud.replyToTicket({
        id,
        body,
        internal: isNote,
        upload_ids: attachments.ids,
        state: next === '' ? undefined : next,
      }),
    onDone: () => {
      form.reset();
      attachments.clear();
      void queries.invalidateQueries(ticketQuery(id));
      void queries.invalidateQueries({ queryKey: ticketsKey });
    },
  });
  const { isNote } = form.values;
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap="md" maw="40rem">
        <Checkbox
          label={t('tickets.note')}
          description={t('tickets.noteHint')}
          {...form.getInputProps('isNote', { type: 'checkbox' })}
        />
        <Textarea
          label={t('message', { ns: 'tickets' })}
          required
          size="md"
          autosize
          minRows={3}
          maxLength={20_000}
          classNames={isNote ? { input: classes.note ?? '' } : {}}
          {...form.getInputProps('body')}
        />
        <AttachmentsField attachments={attachments} />
        <NativeSelect
          label={t('tickets.after')}
          data={[
            { value: '', label: t(isNote ? 'tickets.unchanged' : 'tickets.usual') },
            ...NEXT_STATES[state].map((value) => ({ value, label: t(STATE_LABELS[value]) })),
          ]}
          {...form.getInputProps('next')}
        />
        <FormError error={form.error} />
        <Group gap="sm">
          <Button
            type="submit"
            loading={form.isPending}
            disabled={attachments.isUploading || form.values.body.trim() === ''}
          >
            {isNote ? t('tickets.addNote') : t('send', { ns: 'tickets' })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
