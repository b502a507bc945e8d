import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { signOut } from '../session/session.ts';

export function SignOutButton() {
  const { t } = useTranslation('account');
  const { submit, isPending, error } = useSubmit(async () => {
    await signOut();
    // The whole page goes, and with it every connection that it has to a site.
    location.assign('/');
  });
  return (
    <>
      <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
        {t('profile.signOut')}
      </Button>
      <FormError error={error} />
    </>
  );
}
