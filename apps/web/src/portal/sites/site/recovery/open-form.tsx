import type { RecoveryPartyKind, RecoverySession } from '@heliograph/contracts';
import { Button, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'wouter';
import { FormError } from '../../../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../../../shared/components/form/use-api-form.ts';
import { idInPath } from '../../../routing/id-in-path.ts';
import { cloud } from '../../../session/cloud.ts';
import { withFreshSignIn } from '../../../session/fresh-sign-in.ts';
import { useSite } from '../site-context.tsx';
import { AccessFields } from './access-fields.tsx';

const MIN_REASON_LENGTH = 10;

/** Lets support in, or asks for that; about the ticket in the address, if there is one. */
export function OpenForm({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation('recovery');
  const { site, may } = useSite();
  const [search] = useSearchParams();
  const ticketId = idInPath(search.get('ticket_id') ?? '') ?? null;
  const consents = may('consent');
  const form = useApiForm({
    initialValues: {
      reason: '',
      access: 'diagnose' as RecoverySession['access'],
      hours: '24',
      party: (site.organization === null ? 'operator' : 'organization') as RecoveryPartyKind,
    },
    validate: {
      reason: (reason) => (reason.trim().length < MIN_REASON_LENGTH ? t('reasonHint') : null),
    },
    send: ({ reason, access, hours, party }) =>
      withFreshSignIn(() =>
        cloud.openRecoverySession({
          id: site.id,
          reason: reason.trim(),
          access,
          hours: Number(hours),
          ticket_id: ticketId,
          ...(consents && { party }),
        }),
      ),
    onDone,
  });
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap="md" maw="40rem">
        {ticketId !== null && <Text>{t('ticket', { number: ticketId })}</Text>}
        {form.errors.ticketId !== undefined && (
          <Text c="red" role="alert">
            {form.errors.ticketId}
          </Text>
        )}
        {consents && site.organization !== null && (
          <NativeSelect
            label={t('party')}
            data={[
              { value: 'organization', label: site.organization.name },
              { value: 'operator', label: t('operator') },
            ]}
            {...form.getInputProps('party')}
          />
        )}
        <Textarea
          label={t('reason')}
          description={consents ? undefined : t('reasonHint')}
          required
          size="md"
          autosize
          minRows={2}
          maxLength={500}
          {...form.getInputProps('reason')}
        />
        <AccessFields access={form.getInputProps('access')} hours={form.getInputProps('hours')} />
        <FormError error={form.error} />
        <Button type="submit" loading={form.isPending} style={{ alignSelf: 'flex-start' }}>
          {t(consents ? 'letIn' : 'sendRequest')}
        </Button>
      </Stack>
    </form>
  );
}
