import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { PasswordField } from '../../shared/components/form/password-field.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { NewPasswordFields } from '../session/new-password-fields.tsx';
import { useDeviceSession } from '../session/session.ts';
import { deviceSession } from '../session/session-client.ts';
import { useNewPassword } from '../session/use-new-password.ts';
import { BackToConfiguration } from './back-link.tsx';

/** Changes the device password, on the network of the home. */
export function Page() {
  const { t } = useTranslation('configuration');
  const { via } = useDeviceSession();
  return (
    <Stack maw="34rem">
      <BackToConfiguration />
      <PageTitle text={t('password.title')} />
      <Card title={t('password.change')}>
        {via === 'lan' ? <PasswordForm /> : <Text>{t('password.onlyAtHome')}</Text>}
      </Card>
    </Stack>
  );
}

function PasswordForm() {
  const { t } = useTranslation('configuration');
  const [current, setCurrent] = useState('');
  const [isDone, setDone] = useState(false);
  const { check, clear, ...wanted } = useNewPassword();
  const { submit, isPending, fields, error } = useSubmit(
    () => deviceSession.changePassword(current, wanted.password),
    {
      onDone() {
        setCurrent('');
        clear();
        setDone(true);
      },
    },
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setDone(false);
        if (check(event.currentTarget)) submit(undefined);
      }}
    >
      <Stack>
        <Text>{t('password.changeWhy')}</Text>
        <FormError error={error} />
        <PasswordField
          label={t('password.current')}
          autoComplete="current-password"
          withAsterisk={false}
          required
          value={current}
          error={fields.current === undefined ? undefined : t('password.wrongCurrent')}
          onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
        />
        <NewPasswordFields {...wanted} refused={fields.password} />
        <Button type="submit" loading={isPending} style={{ alignSelf: 'flex-start' }}>
          {t('password.send')}
        </Button>
        <div role="status">
          {isDone && (
            <Alert color="green" variant="light">
              {t('password.done')}
            </Alert>
          )}
        </div>
      </Stack>
    </form>
  );
}
