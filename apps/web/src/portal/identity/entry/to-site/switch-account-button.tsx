import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../../../shared/components/form/use-submit.ts';
import { signOut } from '../../../session/session.ts';
import { EntryError } from '../form/entry-error.tsx';

interface SwitchAccountButtonProps {
  readonly variant?: 'default' | 'subtle';
  readonly onSignedOut?: () => void;
}

/** Signs out on a page that then shows the sign-in. */
export function SwitchAccountButton({ variant = 'default', onSignedOut }: SwitchAccountButtonProps) {
  const { t } = useTranslation('entry');
  const { submit, isPending, error } = useSubmit(signOut, { ...(onSignedOut && { onDone: onSignedOut }) });
  return (
    <>
      <EntryError error={error} />
      <Button variant={variant} loading={isPending} onClick={() => submit(undefined)}>
        {t('anotherAccount')}
      </Button>
    </>
  );
}
