import type { OwnTicketWithMessages, TicketCategory } from '@heliograph/contracts';
import { Anchor, Button, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearchParams } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { FormFooter } from '../../shared/components/form/form-footer.tsx';
import { useApiForm } from '../../shared/components/form/use-api-form.ts';
import { Empty } from '../../shared/components/states/empty.tsx';
import { useFormat } from '../../shared/format/use-format.ts';
import { queries } from '../../shared/queries/query-client.ts';
import { AccountPage } from '../frame/account-page.tsx';
import { idInPath } from '../routing/id-in-path.ts';
import { cloud } from '../session/cloud.ts';
import { orderQuery } from '../shop/orders/queries.ts';
import { MoreButton } from '../ui/lists/more-button.tsx';
import { QueryResult } from '../ui/lists/query-result.tsx';
import { Row, Rows } from '../ui/lists/rows.tsx';
import { NamedSite } from '../ui/named-site.tsx';
import { AttachmentsField } from './attachments-field.tsx';
import { CATEGORY_LABELS } from './category-labels.ts';
import { ticketSitesQuery, ticketsQuery } from './queries.ts';
import { StateBadge } from './state-badge.tsx';
import { useAttachments } from './use-attachments.ts';

interface NewTicketFormProps {
  /** The visitor's order that it is about. */
  readonly orderId?: number | undefined;
  readonly onSent: (ticket: OwnTicketWithMessages) => void;
  readonly onCancel: () => void;
}

const NO_SITE = '';

function NewTicketForm({ orderId, onSent, onCancel }: NewTicketFormProps) {
  const { t } = useTranslation('tickets');
  const { t: common } = useTranslation();
  const { data: sites = [] } = useQuery(ticketSitesQuery);
  const attachments = useAttachments();
  const form = useApiForm({
    initialValues: {
      subject: '',
      category: (orderId === undefined ? 'technical' : 'billing') as TicketCategory,
      siteId: NO_SITE,
      body: '',
    },
    send: ({ subject, category, siteId, body }) =>
      cloud.createTicket({
        subject,
        category,
        body,
        order_id: orderId ?? null,
        site_id: siteId === NO_SITE ? null : Number(siteId),
        upload_ids: attachments.ids,
      }),
    onDone: onSent,
  });
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap="md" maw="40rem">
        <TextInput
          label={t('subject')}
          required
          maxLength={200}
          autoFocus
          data-autofocus
          {...form.getInputProps('subject')}
        />
        <NativeSelect
          label={t('category')}
          data={Object.entries(CATEGORY_LABELS).map(([value, label]) => ({ value, label: t(label) }))}
          {...form.getInputProps('category')}
        />
        {orderId !== undefined && <OrderLine id={orderId} />}
        {sites.length > 0 && (
          <NativeSelect
            label={t('site')}
            data={[
              { value: NO_SITE, label: t('noSite') },
              ...sites.map(({ id, name, state }) => ({
                value: `${id}`,
                label: `${name ?? `#${id}`} – ${common(`state.${state}`)}`,
              })),
            ]}
            {...form.getInputProps('siteId')}
          />
        )}
        <Textarea
          label={t('message')}
          required
          size="md"
          autosize
          minRows={5}
          maxLength={20_000}
          {...form.getInputProps('body')}
        />
        <Text size="sm" c="dimmed">
          {t('diagnosticsHint')}
        </Text>
        <AttachmentsField attachments={attachments} />
        <FormFooter
          form={form}
          isReady={!attachments.isUploading}
          submitLabel={t('send')}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

function OrderLine({ id }: { readonly id: number }) {
  const { t } = useTranslation('tickets');
  const { data: order } = useQuery(orderQuery(id));
  return order === undefined ? null : <Text>{t('order', { number: order.number })}</Text>;
}

/** The visitor's requests to support. */
export function Page() {
  const { t } = useTranslation('tickets');
  const [search] = useSearchParams();
  const orderId = idInPath(search.get('order_id') ?? '');
  const [isWriting, setWriting] = useState(orderId !== undefined);
  const [, navigate] = useLocation();
  return (
    <AccountPage part={t('support')}>
      {isWriting && (
        <Card title={t('new')}>
          <NewTicketForm
            orderId={orderId}
            onSent={({ id }) => {
              void queries.invalidateQueries(ticketsQuery);
              navigate(`/user/tickets/${id}`);
            }}
            onCancel={() => setWriting(false)}
          />
        </Card>
      )}
      <Card
        title={t('list')}
        action={!isWriting && <Button onClick={() => setWriting(true)}>{t('start')}</Button>}
      >
        <TicketList />
      </Card>
    </AccountPage>
  );
}

function TicketList() {
  const { t } = useTranslation('tickets');
  const format = useFormat();
  const tickets = useInfiniteQuery(ticketsQuery);
  return (
    <QueryResult query={tickets}>
      {(list) =>
        list.length === 0 ? (
          <Empty title={t('none')}>{t('noneText')}</Empty>
        ) : (
          <>
            <Rows label={t('list')}>
              {list.map(({ id, subject, state, site, updated_at: changedAt }) => (
                <Row
                  key={id}
                  title={
                    <Anchor component={Link} href={`/user/tickets/${id}`}>
                      {subject}
                    </Anchor>
                  }
                  facts={[
                    <StateBadge key="state" state={state} />,
                    t('number', { number: id }),
                    site !== null && <NamedSite key="site" site={site} />,
                    t('changed', { ago: format.ago(changedAt) }),
                  ]}
                />
              ))}
            </Rows>
            <MoreButton list={tickets} />
          </>
        )
      }
    </QueryResult>
  );
}
