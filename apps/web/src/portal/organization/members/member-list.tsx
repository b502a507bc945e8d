import type { OwnOrganization } from '@heliograph/client';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Rows } from '../../parts/rows.tsx';
import type { OrganizationPermissions } from '../permissions.ts';
import { membersQuery } from '../queries.ts';
import { MemberRow } from './member-row.tsx';

interface MemberListProps {
  readonly organization: OwnOrganization;
  readonly standing: OrganizationPermissions;
}

export function MemberList({ organization, standing }: MemberListProps) {
  const { t } = useTranslation('organization');
  const members = useQuery(membersQuery(organization.id));
  return (
    <QueryResult query={members}>
      {(list) => {
        const owners = list.filter(({ role, pending }) => role === 'owner' && !pending).length;
        if (list.length === 0) return <Empty title={t('members.none')}>{t('members.noneText')}</Empty>;
        return (
          <Rows label={t('members.title')}>
            {list.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                organization={organization}
                standing={standing}
                isLastOwner={member.role === 'owner' && !member.pending && owners === 1}
              />
            ))}
          </Rows>
        );
      }}
    </QueryResult>
  );
}
