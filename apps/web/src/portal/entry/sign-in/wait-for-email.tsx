import { Alert, Button, Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { EntryError } from '../form/entry-error.tsx';
import { MailboxLink } from '../form/mailbox-link.tsx';
import { useConfirmation } from './use-confirmation.ts';

/** Somebody whose email address has yet to be confirmed. */
export interface UnconfirmedAccount {
  readonly email: string;
  /** For another mail. */
  readonly password: string;
  readonly pendingToken: string;
}

interface WaitForEmailProps {
  readonly account: UnconfirmedAccount;
  /** Called once somebody is signed in; the pages know it by themselves. */
  readonly onSignedIn?: (() => void) | undefined;
}

/** Goes on by itself once the link in the mail was opened, wherever that was. */
export function WaitForEmail({ account, onSignedIn }: WaitForEmailProps) {
  const { t } = useTranslation('entry');
  const { isExpired, canResend, resend, isResending, error } = useConfirmation(account, onSignedIn);
  return (
    <>
      <PageTitle text={t('wait.title')} focusOnMount />
      <Text>
        <Trans
          t={t}
          i18nKey="wait.text"
          values={{ email: account.email }}
          components={{ strong: <strong style={{ overflowWrap: 'anywhere' }} /> }}
        />
      </Text>
      <MailboxLink />
      {isExpired && (
        <Alert color="yellow" role="alert">
          {t('wait.expired')}
        </Alert>
      )}
      <EntryError error={error} />
      <Text c="dimmed" size="sm" role="status">
        {canResend ? t('wait.notThere') : t('wait.notYet')}
      </Text>
      {(canResend || isExpired) && (
        <Button variant="default" loading={isResending} onClick={resend}>
          {t('wait.again')}
        </Button>
      )}
    </>
  );
}
