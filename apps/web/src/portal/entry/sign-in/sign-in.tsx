import { useTranslation } from 'react-i18next';
import { Redirect, useSearch } from 'wouter';
import { ownPath } from '../../../shared/routing/own-path.ts';
import { usePortalSession } from '../../session/session.ts';
import { TextLink } from '../form/text-link.tsx';
import { RegisterPrompt } from './register-prompt.tsx';
import { SignInPanel } from './sign-in-panel.tsx';

interface SignInProps {
  /** Why it did not work by the link that led here. */
  readonly notice?: string;
}

/** Signing in for itself; whoever is signed in goes on to where they wanted to go. */
export function SignIn({ notice }: SignInProps) {
  const { t } = useTranslation('entry');
  const { user } = usePortalSession();
  const search = useSearch();
  if (user !== null)
    return <Redirect to={returnPath(new URLSearchParams(search).get('return_to'))} replace />;
  return (
    <SignInPanel
      title={t('signIn.title')}
      introduction={<RegisterPrompt link={<TextLink href="/register" />} />}
      text={notice}
    />
  );
}

/** Where to go after signing in: a path of these pages. @param wanted what the link says */
function returnPath(wanted: string | null): string {
  return ownPath(wanted, '/sites');
}
