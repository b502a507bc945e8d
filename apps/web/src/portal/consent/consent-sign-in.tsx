import type { ConsentRequest } from '@heliograph/contracts';
import { useTranslation } from 'react-i18next';
import { SignInPanel } from '../entry/sign-in/sign-in-panel.tsx';
import type { ConsentApi } from './consent-api.ts';
import { DenyButton } from './deny-button.tsx';
import { Introduction } from './introduction.tsx';

interface ConsentSignInProps {
  readonly api: ConsentApi;
  readonly request: ConsentRequest;
  /** The address that the person probably signs in with. */
  readonly email?: string | null;
  /** Why somebody who has just signed in has to do it once more. */
  readonly notice?: string;
  readonly onSignedIn: () => void;
  readonly onAnswered: (location: string) => void;
}

/** Before anybody decides, it has to be known who they are. */
export function ConsentSignIn({ api, request, email, notice, onSignedIn, onAnswered }: ConsentSignInProps) {
  const { t } = useTranslation('consent');
  const { application, signs_in_again: again } = request;
  const why = again ? t('signIn.again', { application: application.name }) : t('signIn.first');
  return (
    <SignInPanel
      title={t('title', { application: application.name })}
      text={notice ?? why}
      introduction={<Introduction request={request} />}
      email={email ?? undefined}
      focus="title"
      onSignedIn={onSignedIn}
    >
      <DenyButton api={api} onAnswered={onAnswered} />
    </SignInPanel>
  );
}
