import { secondFactorRequired } from '@heliograph/client';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Redirect } from 'wouter';
import { Loading } from '../../../shared/components/states/loading.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { SecondStep } from '../../second-factor/second-step.tsx';
import { confirmEmail } from '../../session/session.ts';
import { EntryError } from '../form/entry-error.tsx';
import { AskFirst } from './ask-first.tsx';
import { isLinkOver } from './is-link-over.ts';
import { LinkOver } from './link-over.tsx';
import { useOnce } from './use-once.ts';

interface ConfirmProps {
  readonly token: string;
  readonly onLeave: () => void;
}

/** Confirms an email address with the link of its mail, which signs in as well. */
export function Confirm(props: ConfirmProps) {
  return (
    <AskFirst>
      <Confirming {...props} />
    </AskFirst>
  );
}

function Confirming({ token, onLeave }: ConfirmProps) {
  const { t } = useTranslation('entry');
  const { t: shared } = useTranslation();
  const { isDone, error, again } = useOnce(() => confirmEmail({ token }));
  if (isDone) return <Redirect to="/sites" replace />;
  const required = secondFactorRequired(error);
  if (required !== undefined)
    return <SecondStep pendingToken={required.pending_token} onSignedIn={onLeave} onLeave={onLeave} />;
  if (isLinkOver(error)) return <LinkOver kind="confirm" onLeave={onLeave} />;
  return (
    <>
      <PageTitle text={t('confirm.title')} takesFocus />
      {error === undefined ? (
        <Loading />
      ) : (
        <>
          <EntryError error={error} />
          <Button onClick={again}>{shared('retry')}</Button>
        </>
      )}
    </>
  );
}
