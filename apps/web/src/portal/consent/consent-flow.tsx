import type { ConsentRequest } from '@heliograph/contracts';
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { Loading } from '../../shared/components/states/loading.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { SignInPanel } from '../identity/entry/sign-in/sign-in-panel.tsx';
import { consentSites, denyConsent } from './consent-calls.ts';
import { ConsentUnavailable } from './consent-unavailable.tsx';
import { Decision } from './decision.tsx';
import { Account, Introduction, ScopeList } from './request-details.tsx';

/** The last event on this page: a browser may not keep the session, and another person may want to sign in. */
export type ConsentProgress = 'arrived' | 'signed-in' | 'signed-out';

interface ConsentFlowProps {
  readonly uid: string;
  readonly request: ConsentRequest;
  readonly progress: ConsentProgress;
  readonly onProgress: (step: ConsentProgress) => void;
  /** When what is shown may be over. */
  readonly onOutdated: () => void;
}

/** Leads from who it is over what is asked for to the answer. */
export function ConsentFlow({ uid, request, progress, onProgress, onOutdated }: ConsentFlowProps) {
  const { t } = useTranslation('consent');
  const [isAnswered, setAnswered] = useState(false);
  const { user, chooses_site: choosesSite } = request;
  const sites = useQuery({
    ...consentSites(uid, user?.email ?? '', ''),
    enabled: user !== null && choosesSite,
  });
  const leave = (location: string): void => {
    setAnswered(true);
    // Not kept in the history: going back leads to where the person came from, and not to a request that is over.
    window.location.replace(location);
  };

  if (isAnswered) return <Redirecting application={request.application.name} />;
  if (user === null) {
    return (
      <ConsentSignIn
        uid={uid}
        request={request}
        {...(progress !== 'signed-out' && { email: request.login_hint })}
        {...(progress === 'signed-in' && { notice: t('signIn.notKept') })}
        onSignedIn={() => onProgress('signed-in')}
        onAnswered={leave}
      />
    );
  }
  const signedOut = (): void => onProgress('signed-out');
  if (sites.error !== null && sites.data === undefined)
    return <ConsentUnavailable error={sites.error} onRetry={onOutdated} />;
  if (choosesSite && sites.data === undefined) return <Loading />;
  const props = { uid, request, user, onAnswered: leave, onSignedOut: signedOut };
  const found = sites.data ?? [];
  return choosesSite && found.length === 0 ? (
    <NoSite {...props} />
  ) : (
    <Decision {...props} sites={found} onOutdated={onOutdated} />
  );
}

/** While the browser goes on; an app may open, and this page stays behind. */
function Redirecting({ application }: { readonly application: string }) {
  const { t } = useTranslation('consent');
  return (
    <>
      <PageTitle text={t('leaving.title', { application })} focusOnMount />
      <Text>{t('leaving.text')}</Text>
      <Loading />
    </>
  );
}

interface NoSiteProps {
  readonly uid: string;
  readonly request: ConsentRequest;
  readonly user: NonNullable<ConsentRequest['user']>;
  readonly onAnswered: (location: string) => void;
  readonly onSignedOut: () => void;
}

/** For who has no site that a program could be let into. */
function NoSite({ uid, request, user, onAnswered, onSignedOut }: NoSiteProps) {
  const { t } = useTranslation('consent');
  return (
    <>
      <PageTitle text={t('noSite.title', { application: request.application.name })} focusOnMount />
      <Text>{t('noSite.text')}</Text>
      <ScopeList scopes={request.scopes} />
      <Account user={user} onSignedOut={onSignedOut} />
      <DenyButton uid={uid} onAnswered={onAnswered} />
    </>
  );
}

interface ConsentSignInProps {
  readonly uid: string;
  readonly request: ConsentRequest;
  /** The address that the person probably signs in with. */
  readonly email?: string | null;
  /** The reason for a second sign-in right after the first. */
  readonly notice?: string;
  readonly onSignedIn: () => void;
  readonly onAnswered: (location: string) => void;
}

/** Signs in before the decision. */
function ConsentSignIn({ uid, request, email, notice, onSignedIn, onAnswered }: ConsentSignInProps) {
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
      <DenyButton uid={uid} onAnswered={onAnswered} />
    </SignInPanel>
  );
}

interface DenyButtonProps {
  readonly uid: string;
  readonly onAnswered: (location: string) => void;
}

/** Denies the request before there is a decision to allow. */
function DenyButton({ uid, onAnswered }: DenyButtonProps) {
  const { t } = useTranslation('consent');
  const { submit, isPending, error } = useSubmit(() => denyConsent(uid), { onDone: onAnswered });
  return (
    <>
      <FormError error={error} />
      <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
        {t('deny')}
      </Button>
    </>
  );
}
