import { startStore } from '@heliograph/client';
import { Anchor, Button, Checkbox, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { PasswordField } from '../../shared/components/form/password-field.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { RestoreForm } from '../backup/restore-form.tsx';
import { whenRestarted } from '../backup/when-restarted.ts';
import { BarePage } from '../frame/bare-page.tsx';
import { device } from '../session/device.ts';
import { useDeviceSession } from '../session/session.ts';

/** The stored data of the device cannot be used: the reason in a sentence, and the ways out. */
export function Page() {
  const { t } = useTranslation('configuration');
  const { store_problem: problem, has_password: hasPassword, signed_in: isSignedIn } = useDeviceSession();
  if (problem === null) return null;
  return (
    <BarePage title={t('store.title')}>
      <Stack gap="lg">
        <Text>{t(`store.${problem.fault}`)}</Text>
        <Text c="dimmed" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {problem.message}
        </Text>
        <Text>{t(problem.has_identity ? 'store.meanwhile' : 'store.unknown')}</Text>
        {hasPassword && (
          <Anchor component={Link} href={isSignedIn ? '/' : '/sign_in'} underline="always">
            {t('store.readings')}
          </Anchor>
        )}
        <section aria-label={t('backup.restore')}>
          <Text component="h2" fw={600} mb="xs">
            {t('backup.restore')}
          </Text>
          <RestoreForm hasPassword={hasPassword} />
        </section>
        <section aria-label={t('store.fresh')}>
          <Text component="h2" fw={600} mb="xs">
            {t('store.fresh')}
          </Text>
          <StartStoreForm hasIdentity={problem.has_identity} hasPassword={hasPassword} />
        </section>
      </Stack>
    </BarePage>
  );
}

interface StartStoreFormProps {
  readonly hasIdentity: boolean;
  readonly hasPassword: boolean;
}

/** Sets the present store aside; without its identity the device becomes a new one, which is confirmed. */
function StartStoreForm({ hasIdentity, hasPassword }: StartStoreFormProps) {
  const { t } = useTranslation('configuration');
  const [password, setPassword] = useState('');
  const [isConfirmed, setConfirmed] = useState(false);
  const { submit, isPending, fields, error } = useSubmit(async () => {
    await startStore(device, hasPassword ? password : undefined, !hasIdentity && isConfirmed);
    await whenRestarted(({ store_problem: problem }) => problem === null);
    location.assign('/');
  });
  const send = (event: FormEvent): void => {
    event.preventDefault();
    submit(undefined);
  };
  return (
    <form noValidate onSubmit={send}>
      <Stack>
        <Text>{t(hasIdentity ? 'store.freshWhy' : 'store.freshNew')}</Text>
        <FormError error={error} />
        {hasPassword && (
          <PasswordField
            label={t('password.current')}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            error={fields.password === undefined ? undefined : t('password.wrongCurrent')}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        )}
        {!hasIdentity && (
          <Checkbox
            label={t('store.freshConfirm')}
            checked={isConfirmed}
            onChange={({ currentTarget }) => setConfirmed(currentTarget.checked)}
          />
        )}
        <Button
          type="submit"
          variant="default"
          loading={isPending}
          disabled={!hasIdentity && !isConfirmed}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('store.fresh')}
        </Button>
      </Stack>
    </form>
  );
}
