import type { ConsentRequest } from '@heliograph/contracts';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { Account } from './account.tsx';
import type { ConsentApi } from './consent-api.ts';
import { DenyButton } from './deny-button.tsx';
import { ScopeList } from './scope-list.tsx';

interface NoSiteProps {
  readonly api: ConsentApi;
  readonly request: ConsentRequest;
  readonly user: NonNullable<ConsentRequest['user']>;
  readonly onAnswered: (location: string) => void;
  readonly onSignedOut: () => void;
}

/** For who has no site that a program could be let into. */
export function NoSite({ api, request, user, onAnswered, onSignedOut }: NoSiteProps) {
  const { t } = useTranslation('consent');
  return (
    <>
      <PageTitle text={t('noSite.title', { application: request.application.name })} focusOnMount />
      <Text>{t('noSite.text')}</Text>
      <ScopeList scopes={request.scopes} />
      <Account user={user} onSignedOut={onSignedOut} />
      <DenyButton api={api} onAnswered={onAnswered} />
    </>
  );
}
