import type { RecoverySession } from '@heliograph/contracts';
import { Button, Group, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { AccessFields } from './access-fields.tsx';

interface ApproveFormProps {
  readonly session: RecoverySession;
  readonly onDone: () => void;
}

/** Answers a request: with no more than was asked for, and settings only by choice. */
export function ApproveForm({ session, onDone }: ApproveFormProps) {
  const { t } = useTranslation('recovery');
  const of = { id: session.site.id, session_id: session.id };
  const form = useApiForm({
    initialValues: {
      access: session.access === 'settings' ? 'repair' : session.access,
      hours: String(session.hours),
    },
    send: ({ access, hours }) =>
      withFreshSignIn(() => cloud.approveRecoverySession({ ...of, access, hours: Number(hours) })),
    onDone,
  });
  const declining = useSubmit(() => cloud.declineRecoverySession(of), { onDone });
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap="md" maw="40rem">
        <AccessFields
          access={form.getInputProps('access')}
          hours={form.getInputProps('hours')}
          most={session}
        />
        <FormError error={form.error ?? declining.error} />
        <Group gap="sm">
          <Button type="submit" loading={form.isPending}>
            {t('approve')}
          </Button>
          <Button variant="default" loading={declining.isPending} onClick={() => declining.submit(undefined)}>
            {t('decline')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
