import { ConnectionError } from '@heliograph/client';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Loading } from '../../../../shared/components/states/loading.tsx';
import { PageTitle } from '../../../../shared/components/title/page-title.tsx';
import { handoverAccount, signIn, usePortalSession } from '../../../session/session.ts';
import { EntryError } from '../form/entry-error.tsx';
import { SignIn } from '../sign-in/sign-in.tsx';
import { useOneTimeAction } from './use-one-time-action.ts';

/**
 * Takes over the session that another page hands over, once the person has seen whose it is: any page and any mail may
 * contain such a link, and later actions would happen in an account of its choice.
 */
export function HandoverSignIn({ token }: { readonly token: string }) {
  const { t } = useTranslation('entry');
  const { t: shared } = useTranslation();
  const { user } = usePortalSession();
  const [email, setEmail] = useState<string>();
  const [isWanted, setWanted] = useState(false);
  const { error, retry } = useOneTimeAction(async () => setEmail(await handoverAccount(token)));
  if (isWanted) return <AcceptHandover token={token} />;
  if (error !== undefined) return <HandoverFailed error={error} onRetry={retry} />;
  if (email === undefined) return <Loading />;
  return (
    <>
      <PageTitle text={t('signIn.title')} focusOnMount />
      <Text style={{ overflowWrap: 'anywhere' }}>
        {user === null ? t('handOver.as', { email }) : t('handOver.switch', { email, now: user.email })}
      </Text>
      <Group>
        <Button onClick={() => setWanted(true)}>{t('signIn.title')}</Button>
        <Button component={Link} href={user === null ? '/sign_in' : '/sites'} variant="default">
          {shared('cancel')}
        </Button>
      </Group>
    </>
  );
}

function AcceptHandover({ token }: { readonly token: string }) {
  const { isDone, error, retry } = useOneTimeAction(() => signIn({ session_token: token }));
  if (isDone) return <SignIn />;
  return error === undefined ? <Loading /> : <HandoverFailed error={error} onRetry={retry} />;
}

function HandoverFailed({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { t } = useTranslation('entry');
  const { t: shared } = useTranslation();
  if (!(error instanceof ConnectionError)) return <SignIn notice={t('handOver.failed')} />;
  return (
    <>
      <PageTitle text={t('signIn.title')} focusOnMount />
      <EntryError error={error} />
      <Button onClick={onRetry}>{shared('retry')}</Button>
    </>
  );
}
