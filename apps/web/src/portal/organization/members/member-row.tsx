import type { OrganizationMember, OwnOrganization } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/format/use-format.ts';
import { ROLE_LABELS } from '../../parts/organization-roles.ts';
import { Row } from '../../parts/rows.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { usePortalSession } from '../../session/session.ts';
import type { OrganizationPermissions } from '../permissions.ts';
import { RemoveButton } from './remove-button.tsx';
import { RoleButton } from './role-button.tsx';

interface MemberRowProps {
  readonly member: OrganizationMember;
  readonly organization: OwnOrganization;
  /** Of whoever looks. */
  readonly standing: OrganizationPermissions;
  /** The last owner stays one. */
  readonly isLastOwner: boolean;
}

export function MemberRow({ member, organization, standing, isLastOwner }: MemberRowProps) {
  const { t } = useTranslation('organization');
  const format = useFormat();
  const { user } = usePortalSession();
  const { first_name: first, last_name: last, email, role } = member;
  const name = `${first} ${last}`.trim();
  const isSelf = member.id === user?.id;
  const isInReach = role === 'owner' ? standing.isOwner : standing.isManager;
  const mayChange = isInReach && !isLastOwner;
  const mayRemove = (isSelf || isInReach) && !isLastOwner;
  return (
    <Row
      title={
        <>
          {name || email}
          {isSelf && <StatusBadge>{t('members.you')}</StatusBadge>}
          {member.pending && <StatusBadge>{t('members.pending')}</StatusBadge>}
        </>
      }
      facts={[
        t(ROLE_LABELS[role]),
        name !== '' && email,
        member.expires_at !== null && t('members.pendingUntil', { at: format.dateTime(member.expires_at) }),
        isLastOwner && standing.isManager && t('members.lastOwner'),
      ]}
      actions={
        <>
          {mayChange && <RoleButton member={member} organization={organization} standing={standing} />}
          {mayRemove && <RemoveButton member={member} organization={organization} isSelf={isSelf} />}
        </>
      }
    />
  );
}
