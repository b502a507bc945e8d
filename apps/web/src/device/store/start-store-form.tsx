import { startStore } from '@heliograph/client';
import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { PasswordField } from '../../shared/components/form/password-field.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { whenRestarted } from '../backup/when-restarted.ts';
import { device } from '../session/device.ts';

interface StartStoreFormProps {
  readonly hasIdentity: boolean;
  readonly hasPassword: boolean;
}

/** Sets the present store aside; without its identity the device becomes a new one, which is confirmed. */
export function StartStoreForm({ hasIdentity, hasPassword }: StartStoreFormProps) {
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
