import { ApiError } from '@heliograph/client';
import type { AccountEmail } from '@heliograph/contracts';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { PasswordField } from '../../../shared/components/form/password-field.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';

const emailQuery = queryOptions({
  queryKey: ['account', 'email'],
  queryFn: () => cloud.getEmail(),
});

/** The email address of the account, and how to change it. */
export function EmailCard() {
  const { t } = useTranslation('account');
  const [isChanging, setChanging] = useState(false);
  const email = useQuery(emailQuery);
  const show = (changed: AccountEmail): void => {
    queries.setQueryData(emailQuery.queryKey, changed);
    setChanging(false);
  };
  const start = (
    <Button variant="default" onClick={() => setChanging(true)}>
      {t('email.change')}
    </Button>
  );
  return (
    <Card title={t('email.title')} action={!isChanging && start}>
      <QueryResult query={email}>
        {({ email: present, pending }) => (
          <>
            <Text style={{ overflowWrap: 'anywhere' }}>{t('email.text', { email: present })}</Text>
            {pending !== null && !isChanging && <PendingEmail pending={pending} />}
          </>
        )}
      </QueryResult>
      {isChanging && <EmailForm onRequested={show} onCancel={() => setChanging(false)} />}
    </Card>
  );
}

interface PendingEmailProps {
  readonly pending: NonNullable<AccountEmail['pending']>;
}

/** The address that waits for its confirmation. */
function PendingEmail({ pending }: PendingEmailProps) {
  const { t } = useTranslation('account');
  const format = useFormat();
  const { submit, isPending, error } = useSubmit(cancelChange, {
    onDone: () => void queries.invalidateQueries(emailQuery),
  });
  return (
    <Stack gap="md" role="status">
      <Text style={{ overflowWrap: 'anywhere' }}>
        {t('email.pending', { email: pending.email, at: format.dateTime(pending.expires_at) })}
      </Text>
      <Button
        variant="default"
        loading={isPending}
        style={{ alignSelf: 'start' }}
        onClick={() => submit(undefined)}
      >
        {t('email.cancel')}
      </Button>
      <FormError error={error} />
    </Stack>
  );
}

/** A change that has ended meanwhile is as good. */
async function cancelChange(): Promise<void> {
  try {
    await cloud.cancelEmailChange();
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

interface EmailFormProps {
  readonly onRequested: (changed: AccountEmail) => void;
  readonly onCancel: () => void;
}

function EmailForm({ onRequested, onCancel }: EmailFormProps) {
  const { t } = useTranslation('account');
  const { t: security } = useTranslation('security');
  const { t: shared } = useTranslation();
  const form = useApiForm({
    initialValues: { email: '', password: '' },
    send: (values) => withFreshSignIn(() => cloud.requestEmailChange(values)),
    onDone: onRequested,
  });
  const { error: emailError, ...emailProps } = form.getInputProps('email');
  const { error: passwordError, ...passwordProps } = form.getInputProps('password');
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap="md" maw="24rem">
        <Text c="dimmed">{t('email.hint')}</Text>
        <TextInput
          label={t('email.new')}
          type="email"
          autoComplete="email"
          maxLength={320}
          autoFocus
          error={emailError && t(emailError === ALREADY_OWN ? 'email.same' : 'email.invalid')}
          {...emailProps}
        />
        <PasswordField
          label={security('password')}
          autoComplete="current-password"
          error={passwordError && security('passwordWrong')}
          {...passwordProps}
        />
        <FormError error={form.error} />
        <Group>
          <Button type="submit" loading={form.isPending} disabled={!form.isDirty()}>
            {t('email.submit')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {shared('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The service's message about the address that the account has. */
const ALREADY_OWN = 'is the address of the account already';
