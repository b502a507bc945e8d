import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { SiteInvitationCards } from '../../sites/invitations/site-invitation-cards.tsx';
import { siteInvitationsQuery } from '../../sites/invitations/site-invitations-query.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { invitationsQuery } from '../organization/queries.ts';
import { InvitationCard } from './invitation-card.tsx';

/** Teams and sites that the visitor is invited to: the mail about an invitation leads here. */
export function Page() {
  const { t } = useTranslation('organization');
  const invitations = useQuery(invitationsQuery);
  const sites = useQuery(siteInvitationsQuery);
  return (
    <Stack gap="lg">
      <PageTitle text={t('invitations.title')} />
      <SiteInvitationCards />
      <QueryResult query={invitations}>
        {(list) =>
          list.length === 0 && sites.data?.length !== 0 ? null : list.length === 0 ? (
            <Empty title={t('invitations.none')}>{t('invitations.noneText')}</Empty>
          ) : (
            list.map((invitation) => (
              <InvitationCard key={invitation.organization.id} invitation={invitation} />
            ))
          )
        }
      </QueryResult>
    </Stack>
  );
}
