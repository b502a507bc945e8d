import { ConnectionError } from '@heliograph/client';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Loading } from '../../../shared/components/states/loading.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { signIn } from '../../session/session.ts';
import { EntryError } from '../form/entry-error.tsx';
import { SignIn } from '../sign-in/sign-in.tsx';
import { ConfirmAccountSwitch } from './confirm-account-switch.tsx';
import { useOneTimeAction } from './use-one-time-action.ts';

/** Takes over the session that another page hands over. */
export function HandoverSignIn({ token }: { readonly token: string }) {
  return (
    <ConfirmAccountSwitch>
      <AcceptHandover token={token} />
    </ConfirmAccountSwitch>
  );
}

/** Signs in with the session of another page, at once. */
function AcceptHandover({ token }: { readonly token: string }) {
  const { t } = useTranslation('entry');
  const { t: shared } = useTranslation();
  const { isDone, error, retry } = useOneTimeAction(() => signIn({ session_token: token }));
  if (isDone) return <SignIn />;
  if (error === undefined) return <Loading />;
  if (!(error instanceof ConnectionError)) return <SignIn notice={t('handOver.failed')} />;
  return (
    <>
      <PageTitle text={t('signIn.title')} focusOnMount />
      <EntryError error={error} />
      <Button onClick={retry}>{shared('retry')}</Button>
    </>
  );
}
