import type { ConsentRequest } from '@heliograph/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Loading } from '../../shared/components/states/loading.tsx';
import type { ConsentApi } from './consent-api.ts';
import { consentSites } from './consent-queries.ts';
import { ConsentSignIn } from './consent-sign-in.tsx';
import { ConsentUnavailable } from './consent-unavailable.tsx';
import { Decision } from './decision.tsx';
import { NoSite } from './no-site.tsx';
import { Redirecting } from './redirecting.tsx';

/** What happened on this page so far: the browser may not keep a sign-in, and somebody else may want to sign in. */
export type ConsentProgress = 'arrived' | 'signed-in' | 'signed-out';

interface ConsentFlowProps {
  readonly uid: string;
  readonly api: ConsentApi;
  readonly request: ConsentRequest;
  /** What the person did last. */
  readonly progress: ConsentProgress;
  readonly onProgress: (step: ConsentProgress) => void;
  /** When what is shown may be over. */
  readonly onOutdated: () => void;
}

/** Leads from who it is over what is asked for to the answer. */
export function ConsentFlow({ uid, api, request, progress, onProgress, onOutdated }: ConsentFlowProps) {
  const { t } = useTranslation('consent');
  const [isAnswered, setAnswered] = useState(false);
  const { user, chooses_site: choosesSite } = request;
  const sites = useQuery({
    ...consentSites(uid, user?.email ?? '', api, ''),
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
        api={api}
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
  const props = { uid, api, request, user, onAnswered: leave, onSignedOut: signedOut };
  const found = sites.data ?? [];
  return choosesSite && found.length === 0 ? (
    <NoSite {...props} />
  ) : (
    <Decision {...props} sites={found} onOutdated={onOutdated} />
  );
}
