import type { ConsentRequest } from '@heliograph/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Loading } from '../../shared/components/states/loading.tsx';
import type { ConsentApi } from './consent-api.ts';
import { consentSites } from './consent-queries.ts';
import { Decision } from './decision.tsx';
import { Leaving } from './leaving.tsx';
import { NoSite } from './no-site.tsx';
import { Over } from './over.tsx';
import { SignInFirst } from './sign-in-first.tsx';

interface AskedProps {
  readonly uid: string;
  readonly api: ConsentApi;
  readonly request: ConsentRequest;
  /** When what is shown may be over. */
  readonly onOutdated: () => void;
}

/** Leads from who it is over what is asked for to the answer. */
export function Asked({ uid, api, request, onOutdated }: AskedProps) {
  const { t } = useTranslation('consent');
  const [isAnswered, setAnswered] = useState(false);
  const [hasSignedIn, setSignedIn] = useState(false);
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

  if (isAnswered) return <Leaving application={request.application.name} />;
  if (user === null) {
    return (
      <SignInFirst
        api={api}
        request={request}
        {...(hasSignedIn && { notice: t('signIn.notKept') })}
        onSignedIn={() => {
          setSignedIn(true);
          onOutdated();
        }}
        onAnswered={leave}
      />
    );
  }
  const signedOut = (): void => {
    setSignedIn(false);
    onOutdated();
  };
  if (sites.error !== null && sites.data === undefined)
    return <Over error={sites.error} onRetry={onOutdated} />;
  if (choosesSite && sites.data === undefined) return <Loading />;
  const props = { uid, api, request, user, onAnswered: leave, onOutdated: signedOut };
  const found = sites.data ?? [];
  return choosesSite && found.length === 0 ? <NoSite {...props} /> : <Decision {...props} sites={found} />;
}
