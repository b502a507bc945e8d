import { secondFactorRequired } from '@heliograph/client';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Redirect } from 'wouter';
import { Loading } from '../../../shared/components/states/loading.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { SecondStep } from '../../second-factor/second-step.tsx';
import { confirmEmail } from '../../session/session.ts';
import { EntryError } from '../form/entry-error.tsx';
import { ConfirmAccountSwitch } from './confirm-account-switch.tsx';
import { isLinkExpired, LinkExpired } from './link-expired.tsx';
import { useOneTimeAction } from './use-one-time-action.ts';

interface ConfirmProps {
  readonly token: string;
  readonly onLeave: () => void;
}

/** Confirms an email address with the link of its mail, which signs in as well. */
export function Confirm(props: ConfirmProps) {
  return (
    <ConfirmAccountSwitch>
      <Confirming {...props} />
    </ConfirmAccountSwitch>
  );
}

function Confirming({ token, onLeave }: ConfirmProps) {
  const { t } = useTranslation('entry');
  const { t: shared } = useTranslation();
  const { isDone, error, retry } = useOneTimeAction(() => confirmEmail({ token }));
  if (isDone) return <Redirect to="/sites" replace />;
  const required = secondFactorRequired(error);
  if (required !== undefined)
    return <SecondStep pendingToken={required.pending_token} onSignedIn={onLeave} onLeave={onLeave} />;
  if (isLinkExpired(error)) return <LinkExpired kind="confirm" onLeave={onLeave} />;
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
