import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { signOut } from './session.ts';

export function SignOutButton() {
  const { t } = useTranslation('device');
  const { mutate, isPending, isError } = useMutation({ mutationFn: signOut });
  return (
    <Button variant="subtle" loading={isPending} onClick={() => mutate()}>
      {isError ? t('session.signOutAgain') : t('session.signOut')}
    </Button>
  );
}
