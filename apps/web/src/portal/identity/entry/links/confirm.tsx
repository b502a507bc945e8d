import { secondFactorRequired } from '@heliograph/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect } from 'wouter';
import { confirmationEmail, confirmEmail, usePortalSession } from '../../../session/session.ts';
import { SecondStep } from '../../second-factor/second-step.tsx';
import { ConfirmAddress } from './confirm-address.tsx';

interface ConfirmProps {
  readonly token: string;
  readonly onLeave: () => void;
}

/**
 * Confirms an email address with the link of its mail, which signs in as well. Any page and any mail may contain such a
 * link, and later actions would happen in an account of its choice: it names both accounts.
 */
export function Confirm({ token, onLeave }: ConfirmProps) {
  const { t } = useTranslation('entry');
  const { user } = usePortalSession();
  const [isDone, setDone] = useState(false);
  if (isDone) return <Redirect to="/sites" replace />;
  return (
    <ConfirmAddress
      kind="confirm"
      check={() => confirmationEmail({ token })}
      explain={(email) =>
        user === null ? t('handOver.as', { email }) : t('handOver.switch', { email, now: user.email })
      }
      confirm={() => confirmEmail({ token })}
      onConfirmed={() => setDone(true)}
      explainFailure={(error) => {
        const required = secondFactorRequired(error);
        return (
          required && (
            <SecondStep pendingToken={required.pending_token} onSignedIn={onLeave} onLeave={onLeave} />
          )
        );
      }}
      onLeave={onLeave}
    />
  );
}
