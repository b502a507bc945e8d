import type { OwnOrganization, SiteMember } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { Mark } from '../../parts/mark.tsx';
import { Row } from '../../parts/rows.tsx';
import { usePortalSession } from '../../session/session.ts';
import { ROLE_TEXTS } from '../roles.ts';
import type { Standing } from '../standing.ts';
import { RemoveButton } from './remove-button.tsx';
import { RoleButton } from './role-button.tsx';

interface MemberRowProps {
  readonly member: SiteMember;
  readonly organization: OwnOrganization;
  /** Of whoever looks. */
  readonly standing: Standing;
  /** The last owner stays one. */
  readonly isLastOwner: boolean;
}

export function MemberRow({ member, organization, standing, isLastOwner }: MemberRowProps) {
  const { t } = useTranslation('organization');
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
          {isSelf && <Mark>{t('members.you')}</Mark>}
        </>
      }
      facts={[
        t(ROLE_TEXTS[role]),
        name !== '' && email,
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
