import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { signOut } from '../../session/session.ts';
import { EntryError } from '../form/entry-error.tsx';

/** Signs out, so that somebody else can sign in on the same page. */
export function AnotherAccount({ onSignedOut }: { readonly onSignedOut?: () => void }) {
  const { t } = useTranslation('entry');
  const { submit, isPending, error } = useSubmit(signOut, { ...(onSignedOut && { onDone: onSignedOut }) });
  return (
    <>
      <EntryError error={error} />
      <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
        {t('anotherAccount')}
      </Button>
    </>
  );
}
