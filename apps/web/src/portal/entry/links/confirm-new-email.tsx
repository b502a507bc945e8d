import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Loading } from '../../../shared/components/states/loading.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { fieldErrors } from '../../../shared/errors/fields.ts';
import { confirmNewEmail, usePortalSession } from '../../session/session.ts';
import { EntryError } from '../form/entry-error.tsx';
import { isLinkExpired, LinkExpired } from './link-expired.tsx';
import { useOneTimeAction } from './use-one-time-action.ts';

interface ConfirmNewEmailProps {
  readonly token: string;
  /** Goes on to sign in, which is on the same page. */
  readonly onLeave: () => void;
}

/** Puts the new email address of an account in force, and signs in to none. */
export function ConfirmNewEmail({ token, onLeave }: ConfirmNewEmailProps) {
  const { t } = useTranslation('entry');
  const { t: shared } = useTranslation();
  const [email, setEmail] = useState('');
  const { isDone, error, retry } = useOneTimeAction(async () => {
    setEmail(await confirmNewEmail({ token }));
  });
  if (isDone) {
    return (
      <>
        <PageTitle text={t('newEmail.title')} focusOnMount />
        <Text style={{ overflowWrap: 'anywhere' }}>{t('newEmail.text', { email })}</Text>
        <GoOn onLeave={onLeave} />
      </>
    );
  }
  if (fieldErrors(error).email !== undefined) {
    return (
      <>
        <PageTitle text={t('newEmail.taken')} focusOnMount />
        <Text>{t('newEmail.takenText')}</Text>
        <GoOn onLeave={onLeave} />
      </>
    );
  }
  if (isLinkExpired(error)) return <LinkExpired kind="email" onLeave={onLeave} />;
  return (
    <>
      <PageTitle text={t('confirm.title')} focusOnMount />
      {error === undefined ? (
        <Loading />
      ) : (
        <>
          <EntryError error={error} />
          <Button onClick={retry}>{shared('retry')}</Button>
        </>
      )}
    </>
  );
}

function GoOn({ onLeave }: Pick<ConfirmNewEmailProps, 'onLeave'>) {
  const { t } = useTranslation('entry');
  const { user } = usePortalSession();
  if (user === null) return <Button onClick={onLeave}>{t('signIn.submit')}</Button>;
  return (
    <Button component={Link} href="/user">
      {t('newEmail.toAccount')}
    </Button>
  );
}
