import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { answerWithPasskey, NoPasskey } from '../../second-factor/passkey.ts';
import { passkeyOptions, signInWithPasskey } from '../../session/session.ts';
import { EntryError } from '../form/entry-error.tsx';

/** Signs in without email and password. */
export function PasskeySignIn({ onSignedIn }: { readonly onSignedIn: (() => void) | undefined }) {
  const { t } = useTranslation('entry');
  const { submit, isPending, error } = useSubmit(async () => {
    await signInWithPasskey(await answerWithPasskey(await passkeyOptions()));
    onSignedIn?.();
  });
  return (
    <>
      {/* Who closed the browser's dialog knows it. */}
      {!(error instanceof NoPasskey) && <EntryError error={error} />}
      <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
        {t('signIn.passkey')}
      </Button>
    </>
  );
}
