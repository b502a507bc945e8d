import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { BarePage } from '../frame/bare-page.tsx';
import { NewPasswordFields } from '../session/new-password-fields.tsx';
import { setFirstPassword, useDeviceSession } from '../session/session.ts';
import { useNewPassword } from '../session/use-new-password.ts';

/** A new device has no password: a reader on its network sets it. */
export function Page() {
  const { t } = useTranslation('configuration');
  const { via } = useDeviceSession();
  return (
    <BarePage title={t('firstRun.title')}>
      {via === 'lan' ? <FirstPassword /> : <Text>{t('firstRun.onlyAtHome')}</Text>}
    </BarePage>
  );
}

function FirstPassword() {
  const { t } = useTranslation('configuration');
  const { check, clear, ...wanted } = useNewPassword();
  const { submit, isPending, fields, error } = useSubmit(setFirstPassword);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (check(event.currentTarget)) submit(wanted.password);
      }}
    >
      <Stack>
        <Text>{t('firstRun.why')}</Text>
        <FormError error={error} />
        <NewPasswordFields {...wanted} refused={fields.password} />
        <Button type="submit" loading={isPending}>
          {t('firstRun.send')}
        </Button>
        <Text c="dimmed" size="sm">
          {t('firstRun.keep')}
        </Text>
      </Stack>
    </form>
  );
}
