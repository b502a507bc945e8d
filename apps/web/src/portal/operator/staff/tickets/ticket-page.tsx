import { ApiError } from '@heliograph/client';
import type { TicketState, TicketWithMessages } from '@heliograph/contracts';
import { Anchor, Button, Checkbox, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'wouter';
import { Card } from '../../../../shared/components/card/card.tsx';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../../../shared/components/form/use-api-form.ts';
import { PageTitle } from '../../../../shared/components/title/page-title.tsx';
import { personName } from '../../../../shared/format/person-name.ts';
import { useFormat } from '../../../../shared/format/use-format.ts';
import { queries } from '../../../../shared/queries/query-client.ts';
import { NotFound } from '../../../frame/not-found.tsx';
import { organizationPermissions } from '../../../organizations/organization/permissions.ts';
import { idInPath } from '../../../routing/id-in-path.ts';
import { cloud } from '../../../session/cloud.ts';
import { usePortalSession } from '../../../session/session.ts';
import { useAccessFact } from '../../../support/access-fact.tsx';
import { AttachmentsField } from '../../../support/attachments-field.tsx';
import { Conversation } from '../../../support/conversation.tsx';
import { useAttachments } from '../../../support/use-attachments.ts';
import { type Fact, Facts } from '../../../ui/facts.tsx';
import { QueryResult } from '../../../ui/lists/query-result.tsx';
import { NamedSite } from '../../../ui/named-site.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { ticketQuery, ticketSessionsQuery, ticketsKey } from '../queries.ts';
import classes from '../staff.module.css';
import { useStaff } from '../staff-page.tsx';
import { SessionNote } from './session-note.tsx';
import { TicketForm } from './ticket-form.tsx';
import { NEXT_STATES, STATE_LABELS } from './ticket-labels.ts';

/** A ticket for those who handle it. */
export function Page() {
  const id = idInPath(useParams<{ ticket?: string }>().ticket);
  return id === undefined ? <NotFound /> : <TicketPage key={id} id={id} />;
}

function TicketPage({ id }: { readonly id: number }) {
  const { t } = useTranslation('staff');
  const { base } = useStaff();
  const query = useQuery(ticketQuery(id));
  const { data: sessions = [] } = useQuery(ticketSessionsQuery(id));
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />;
  return (
    <QueryResult query={query}>
      {(ticket) => (
        <Stack gap="lg">
          <Anchor component={Link} href={`${base}/tickets`}>
            {t('tickets.back')}
          </Anchor>
          <Stack gap="xs">
            <PageTitle text={ticket.subject} />
            <Group gap="sm">
              <StatusBadge tone={ticket.awaiting === 'support' ? 'warning' : 'neutral'}>
                {t(STATE_LABELS[ticket.state])}
              </StatusBadge>
              <Text c="dimmed">{t('number', { number: id, ns: 'tickets' })}</Text>
            </Group>
          </Stack>
          <About base={base} ticket={ticket} />
          <Conversation
            side="support"
            messages={ticket.messages}
            events={sessions.map((session) => ({
              key: `session-${session.id}`,
              at: session.requested_at,
              content: <SessionNote session={session} />,
            }))}
            download={(attachmentId) => cloud.getTicketAttachment({ id, attachment_id: attachmentId })}
          />
          <Card title={t('tickets.reply')}>
            {ticket.state === 'closed' ? <Text>{t('tickets.closed')}</Text> : <ReplyForm ticket={ticket} />}
          </Card>
          <Card title={t('tickets.change')}>
            <TicketForm key={ticket.updated_at + ticket.state} base={base} ticket={ticket} />
          </Card>
        </Stack>
      )}
    </QueryResult>
  );
}

interface AboutProps {
  readonly base: string;
  readonly ticket: TicketWithMessages;
}

function About({ base, ticket }: AboutProps) {
  const { t } = useTranslation('staff');
  const format = useFormat();
  const isSeller = useIsSeller();
  const access = useAccessFact(ticket, 'support');
  const { requester, site, order, follow_up_of: before, waiting_since: since } = ticket;
  const name = personName(requester);
  const facts: readonly (Fact | false)[] = [
    {
      name: t('tickets.requester'),
      value: (
        <>
          {name !== requester.email && `${name} · `}
          <a href={`mailto:${requester.email}`}>{requester.email}</a>
        </>
      ),
    },
    site !== null && {
      name: t('site', { ns: 'tickets' }),
      value: <NamedSite site={site} />,
    },
    order !== null && {
      name: t('orders.one'),
      value: isSeller ? <Link href={`${base}/orders/${order.id}`}>{order.number}</Link> : order.number,
    },
    before !== null && {
      name: t('tickets.continues'),
      value: <Link href={`${base}/tickets/${before}`}>{t('number', { number: before, ns: 'tickets' })}</Link>,
    },
    access,
    since !== null && { name: t('tickets.waiting'), value: format.dateTime(since) },
  ];
  return <Facts facts={facts.filter((fact) => fact !== false)} />;
}

/** Whether the reader sees the orders of the staff, too: owners, admins and operators do. */
function useIsSeller(): boolean {
  const { organizationId } = useStaff();
  const { organizations, is_operator: isOperator } = usePortalSession();
  const role = organizations.find(({ id }) => id === organizationId)?.role ?? null;
  return organizationPermissions(role, isOperator).isManager;
}

/** An answer to the customer, or a note among those who handle the ticket. */
function ReplyForm({ ticket: { id, state } }: { readonly ticket: TicketWithMessages }) {
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
