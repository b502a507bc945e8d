import { Button, Stack, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { Loading } from '../../shared/components/states/loading.tsx';
import { lazyPart } from '../../shared/routing/lazy-part.ts';
import { BarePage } from '../frame/bare-page.tsx';
import { NewPasswordFields } from '../session/new-password-fields.tsx';
import { setFirstPassword, useDeviceSession } from '../session/session.ts';
import { useNewPassword } from '../session/use-new-password.ts';
import { OwnPageError } from './own-page-error.tsx';

/** Few visits need it. */
const RestoreForm = lazyPart(async () => (await import('../backup/restore-form.tsx')).FirstRestoreForm);

/** The same stands in place of it while the stored data cannot be used. */
const StorePage = lazyPart(async () => (await import('../store/store-page.tsx')).Page);

/** A new device has no password: a reader on its network sets it. */
export function Page() {
  const { t } = useTranslation('configuration');
  const { via, store_problem: problem } = useDeviceSession();
  if (problem !== null) {
    return (
      <Suspense fallback={<Loading />}>
        <StorePage />
      </Suspense>
    );
  }
  return (
    <BarePage title={t('firstRun.title')}>
      {via === 'lan' ? <FirstSteps /> : <Text>{t('firstRun.onlyAtHome')}</Text>}
    </BarePage>
  );
}

/** A new device gets a password, or becomes the one of a backup. */
function FirstSteps() {
  const { t } = useTranslation('configuration');
  const [isRestoring, setRestoring] = useState(false);
  return (
    <Stack>
      <Suspense fallback={<Loading />}>{isRestoring ? <RestoreForm /> : <FirstPassword />}</Suspense>
      <Button variant="subtle" onClick={() => setRestoring(!isRestoring)}>
        {t(isRestoring ? 'backup.notRestore' : 'backup.restore')}
      </Button>
    </Stack>
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
        <OwnPageError error={error} />
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
