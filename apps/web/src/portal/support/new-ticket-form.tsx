import type { OwnTicketWithMessages, TicketCategory } from '@heliograph/contracts';
import { NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormFooter } from '../../shared/components/form/form-footer.tsx';
import { useApiForm } from '../../shared/components/form/use-api-form.ts';
import { STATE_LABELS } from '../../shared/components/status/state-labels.ts';
import { orderQuery } from '../orders/queries.ts';
import { cloud } from '../session/cloud.ts';
import { AttachmentsField } from './attachments-field.tsx';
import { CATEGORY_LABELS } from './category-labels.ts';
import { ticketSitesQuery } from './queries.ts';
import { useAttachments } from './use-attachments.ts';

interface NewTicketFormProps {
  /** The visitor's order that it is about. */
  readonly orderId?: number | undefined;
  readonly onSent: (ticket: OwnTicketWithMessages) => void;
  readonly onCancel: () => void;
}

const NO_SITE = '';

export function NewTicketForm({ orderId, onSent, onCancel }: NewTicketFormProps) {
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
                label: `${name ?? `#${id}`} – ${common(STATE_LABELS[state])}`,
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
