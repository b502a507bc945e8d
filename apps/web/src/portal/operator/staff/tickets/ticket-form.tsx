import type { Ticket, TicketCategory, TicketPriority, TicketState } from '@heliograph/contracts';
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../../../shared/components/form/use-api-form.ts';
import { personName } from '../../../../shared/format/person-name.ts';
import { queries } from '../../../../shared/queries/query-client.ts';
import { cloud } from '../../../session/cloud.ts';
import { CATEGORY_LABELS } from '../../../support/category-labels.ts';
import { assigneesQuery, handlersQuery, ticketQuery, ticketsKey } from '../queries.ts';
import classes from '../staff.module.css';
import { NEXT_STATES, PRIORITY_LABELS, STATE_LABELS } from './ticket-labels.ts';

/** Of a select; the API has null. */
const NONE = '';

interface Values {
  readonly state: TicketState;
  readonly priority: TicketPriority;
  readonly category: TicketCategory;
  /** An id. */
  readonly assigneeId: string;
  /** An id. */
  readonly organizationId: string;
}

interface TicketFormProps {
  readonly base: string;
  readonly ticket: Ticket;
}

/** Changes what a ticket is filed under, and who handles it. */
export function TicketForm({ base, ticket }: TicketFormProps) {
  const { t } = useTranslation('staff');
  const [, navigate] = useLocation();
  const { id } = ticket;
  const before: Values = {
    state: ticket.state,
    priority: ticket.priority,
    category: ticket.category,
    assigneeId: optional(ticket.assignee?.id),
    organizationId: optional(ticket.organization?.id),
  };
  const form = useApiForm<Values, unknown>({
    initialValues: before,
    send: (values) => cloud.updateTicket({ id, ...changesOf(before, values) }),
    onDone: () => {
      const isGone = base !== '/operator' && form.values.organizationId !== before.organizationId;
      void queries.invalidateQueries({ queryKey: ticketsKey });
      if (isGone) navigate(`${base}/tickets`);
      else void queries.invalidateQueries(ticketQuery(id));
    },
  });
  const assignees = useAssignees(ticket);
  const handlers = useHandlers(base, ticket);
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap="md" maw="40rem">
        <div className={classes.fields}>
          <NativeSelect
            label={t('tickets.state')}
            data={NEXT_STATES[ticket.state].map((value) => ({ value, label: t(STATE_LABELS[value]) }))}
            {...form.getInputProps('state')}
          />
          <NativeSelect
            label={t('tickets.priority')}
            data={Object.entries(PRIORITY_LABELS).map(([value, label]) => ({ value, label: t(label) }))}
            {...form.getInputProps('priority')}
          />
          <NativeSelect
            label={t('category', { ns: 'tickets' })}
            data={Object.entries(CATEGORY_LABELS).map(([value, label]) => ({
              value,
              label: t(label, { ns: 'tickets' }),
            }))}
            {...form.getInputProps('category')}
          />
          <NativeSelect
            label={t('tickets.assignee')}
            data={assignees}
            {...form.getInputProps('assigneeId')}
          />
          <NativeSelect
            label={t('tickets.handler')}
            data={handlers}
            {...form.getInputProps('organizationId')}
          />
        </div>
        {base !== '/operator' && form.values.organizationId !== before.organizationId && (
          <Text role="status">{t('tickets.handOver')}</Text>
        )}
        <FormError error={form.error} />
        <Group gap="sm">
          <Button type="submit" loading={form.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The reader's colleagues who handle the ticket, and the assignee of now. */
function useAssignees({ id, assignee }: Ticket): Choice[] {
  const { t } = useTranslation('staff');
  const { data = [] } = useQuery(assigneesQuery(id));
  const names = new Map(data.map((handler) => [handler.id, personName(handler)]));
  if (assignee !== null && !names.has(assignee.id)) names.set(assignee.id, assignee.name);
  const people = [...names].map(([value, label]) => ({ value: `${value}`, label }));
  return [{ value: NONE, label: t('tickets.unassigned') }, ...people];
}

/** Employees give a ticket to the operators alone, and these to anyone. */
function useHandlers(base: string, { organization }: Ticket): Choice[] {
  const { t } = useTranslation('staff');
  const { data = [] } = useQuery({ ...handlersQuery, enabled: base === '/operator' });
  const names = new Map(data.map(({ id, name }) => [id, name]));
  if (organization !== null) names.set(organization.id, organization.name);
  const organizations = [...names].map(([value, label]) => ({ value: `${value}`, label }));
  return [{ value: NONE, label: t('tickets.operator') }, ...organizations];
}

function optional(id: number | undefined): string {
  return id === undefined ? NONE : `${id}`;
}

/** The body of the change: only what differs. */
function changesOf(before: Values, after: Values) {
  const idOf = (text: string) => (text === NONE ? null : Number(text));
  return {
    ...(after.state !== before.state && { state: after.state }),
    ...(after.priority !== before.priority && { priority: after.priority }),
    ...(after.category !== before.category && { category: after.category }),
    ...(after.assigneeId !== before.assigneeId && { assignee_id: idOf(after.assigneeId) }),
    ...(after.organizationId !== before.organizationId && { organization_id: idOf(after.organizationId) }),
  };
}
