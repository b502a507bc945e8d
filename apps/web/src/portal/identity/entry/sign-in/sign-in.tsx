import { useTranslation } from 'react-i18next';
import { Redirect, useSearch } from 'wouter';
import { ownPath } from '../../../../shared/routing/own-path.ts';
import { usePortalSession } from '../../../session/session.ts';
import { TextLink } from '../form/text-link.tsx';
import { RegisterPrompt } from './register-prompt.tsx';
import { SignInPanel } from './sign-in-panel.tsx';

interface SignInProps {
  /** Why it did not work by the link that led here. */
  readonly notice?: string;
}

/** The sign-in without a further purpose; a session that is there already leads on at once. */
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

/** The path to continue at after the sign-in. @param wanted the path in the link */
function returnPath(wanted: string | null): string {
  return ownPath(wanted, '/sites');
}
