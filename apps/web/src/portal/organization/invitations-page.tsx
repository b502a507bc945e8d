import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/components/states/empty.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { InvitationCard } from './invitation-card.tsx';
import { invitationsQuery } from './queries.ts';

/** Organizations that invite the visitor to their team: the mail about an invitation leads here. */
export function Page() {
  const { t } = useTranslation('organization');
  const invitations = useQuery(invitationsQuery);
  return (
    <Stack gap="lg">
      <PageTitle text={t('invitations.title')} />
      <QueryResult query={invitations}>
        {(list) =>
          list.length === 0 ? (
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
