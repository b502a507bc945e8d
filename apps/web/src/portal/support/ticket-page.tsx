import { ApiError } from '@heliograph/client';
import type { OwnTicketWithMessages } from '@heliograph/contracts';
import { Anchor, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../shared/components/form/use-api-form.ts';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { queries } from '../../shared/queries/query-client.ts';
import { NotFound } from '../frame/not-found.tsx';
import { idInPath } from '../routing/id-in-path.ts';
import { cloud } from '../session/cloud.ts';
import { Facts } from '../ui/facts.tsx';
import { QueryResult } from '../ui/lists/query-result.tsx';
import { NamedSite } from '../ui/named-site.tsx';
import { useAccessFact } from './access-fact.tsx';
import { AttachmentsField } from './attachments-field.tsx';
import { Conversation } from './conversation.tsx';
import { ticketQuery, ticketsQuery } from './queries.ts';
import { StateBadge } from './state-badge.tsx';
import { useAttachments } from './use-attachments.ts';

/** A request to support, with its conversation. */
export function Page() {
  const id = idInPath(useParams<'/user/tickets/:id'>().id);
  return id === undefined ? <NotFound /> : <TicketPage key={id} id={id} />;
}

function TicketPage({ id }: { readonly id: number }) {
  const { t } = useTranslation('tickets');
  const query = useQuery(ticketQuery(id));
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />;
  return (
    <QueryResult query={query}>
      {(ticket) => (
        <Stack gap="lg">
          <Anchor component={Link} href="/user/tickets">
            {t('back')}
          </Anchor>
          <Stack gap="xs">
            <PageTitle text={ticket.subject} />
            <Group gap="sm">
              <StateBadge state={ticket.state} />
              <Text c="dimmed">{t('number', { number: id })}</Text>
              {ticket.site !== null && (
                <Text c="dimmed">
                  <NamedSite site={ticket.site} />
                </Text>
              )}
              {ticket.order !== null && (
                <Anchor component={Link} href={`/user/orders/${ticket.order.id}`}>
                  {t('order', { number: ticket.order.number })}
                </Anchor>
              )}
            </Group>
          </Stack>
          <SupportAccess ticket={ticket} />
          <Conversation
            side="customer"
            messages={ticket.messages}
            download={(attachmentId) => cloud.getOwnTicketAttachment({ id, attachment_id: attachmentId })}
          />
          <ReplyCard key={ticket.message_count} ticket={ticket} />
        </Stack>
      )}
    </QueryResult>
  );
}

function SupportAccess({ ticket }: { readonly ticket: OwnTicketWithMessages }) {
  const access = useAccessFact(ticket, 'consent');
  return access !== false && <Facts facts={[access]} />;
}

function ReplyCard({ ticket }: { readonly ticket: OwnTicketWithMessages }) {
  const { t } = useTranslation('tickets');
  const { id, state } = ticket;
  const [, navigate] = useLocation();
  const attachments = useAttachments();
  const refresh = async (): Promise<void> => {
    await queries.invalidateQueries(ticketQuery(id));
    await queries.invalidateQueries(ticketsQuery);
  };
  const form = useApiForm({
    initialValues: { body: '' },
    send: ({ body }) => cloud.replyToOwnTicket({ id, body, upload_ids: attachments.ids }),
    onDone: (message) => {
      void refresh();
      if (message.ticket_id !== id) navigate(`/user/tickets/${message.ticket_id}`);
    },
  });
  const resolving = useSubmit(() => cloud.resolveOwnTicket({ id }), { onDone: () => void refresh() });
  const isSettled = state === 'resolved' || state === 'closed';
  return (
    <Card title={t('reply')}>
      {isSettled && <Text>{t(state === 'closed' ? 'closedText' : 'resolvedText')}</Text>}
      <form noValidate onSubmit={form.submit}>
        <Stack gap="md" maw="40rem">
          <Textarea
            label={t('message')}
            required
            size="md"
            autosize
            minRows={3}
            maxLength={20_000}
            {...form.getInputProps('body')}
          />
          <AttachmentsField attachments={attachments} />
          <FormError error={form.error ?? resolving.error} />
          <Group gap="sm">
            <Button type="submit" loading={form.isPending} disabled={attachments.isUploading}>
              {t('send')}
            </Button>
            {!isSettled && (
              <Button
                variant="default"
                loading={resolving.isPending}
                onClick={() => resolving.submit(undefined)}
              >
                {t('resolve')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
