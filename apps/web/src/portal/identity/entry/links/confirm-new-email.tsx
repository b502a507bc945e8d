import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { PageTitle } from '../../../../shared/components/title/page-title.tsx';
import { fieldErrors } from '../../../../shared/errors/fields.ts';
import { confirmNewEmail, newEmail, usePortalSession } from '../../../session/session.ts';
import { ConfirmAddress } from './confirm-address.tsx';

interface ConfirmNewEmailProps {
  readonly token: string;
  /** Goes on to sign in, which is on the same page. */
  readonly onLeave: () => void;
}

/** Puts the new email address of an account in force, and signs in to none. */
export function ConfirmNewEmail({ token, onLeave }: ConfirmNewEmailProps) {
  const { t } = useTranslation('entry');
  const [email, setEmail] = useState<string>();
  if (email !== undefined) {
    return (
      <>
        <PageTitle text={t('newEmail.title')} focusOnMount />
        <Text style={{ overflowWrap: 'anywhere' }}>{t('newEmail.text', { email })}</Text>
        <GoOn onLeave={onLeave} />
      </>
    );
  }
  return (
    <ConfirmAddress
      kind="email"
      check={() => newEmail({ token })}
      explain={(address) => t('newEmail.ask', { email: address })}
      confirm={() => confirmNewEmail({ token })}
      onConfirmed={setEmail}
      explainFailure={(error) =>
        fieldErrors(error).email === undefined ? undefined : (
          <>
            <PageTitle text={t('newEmail.taken')} focusOnMount />
            <Text>{t('newEmail.takenText')}</Text>
            <GoOn onLeave={onLeave} />
          </>
        )
      }
      onLeave={onLeave}
    />
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
