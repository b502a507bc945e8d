import type { OrganizationMember, OwnOrganization } from '@heliograph/client';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { fullName, personName } from '../../../shared/format/person-name.ts';
import { useFormat } from '../../../shared/format/use-format.ts';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { usePortalSession } from '../../session/session.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { Row } from '../../ui/lists/rows.tsx';
import { parseRole, ROLE_LABELS } from '../../ui/organization-roles.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import type { OrganizationPermissions } from '../organization/permissions.ts';
import { refreshOrganization } from '../organization/use-change-organization.ts';
import { RoleSelect } from './role-select.tsx';

interface MemberRowProps {
  readonly member: OrganizationMember;
  readonly organization: OwnOrganization;
  /** The reader's. */
  readonly permissions: OrganizationPermissions;
  /** The last owner stays one. */
  readonly isLastOwner: boolean;
}

export function MemberRow({ member, organization, permissions, isLastOwner }: MemberRowProps) {
  const { t } = useTranslation('organization');
  const format = useFormat();
  const { user } = usePortalSession();
  const { email, role } = member;
  const name = fullName(member);
  const isSelf = member.id === user?.id;
  const isInReach = role === 'owner' ? permissions.isOwner : permissions.isManager;
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
        isLastOwner && permissions.isManager && t('members.lastOwner'),
      ]}
      actions={
        <>
          {mayChange && <RoleButton member={member} organization={organization} permissions={permissions} />}
          {mayRemove && <RemoveButton member={member} organization={organization} isSelf={isSelf} />}
        </>
      }
    />
  );
}

interface RemoveButtonProps {
  readonly member: OrganizationMember;
  readonly organization: OwnOrganization;
  /** Whether it is the visitor, who leaves. */
  readonly isSelf: boolean;
}

function RemoveButton({ member, organization, isSelf }: RemoveButtonProps) {
  const { t } = useTranslation('organization');
  const [, navigate] = useLocation();
  const name = personName(member);
  const remove = (): Promise<void> =>
    cloud.removeOrganizationMember({ id: organization.id, user_id: member.id });
  const finish = async (): Promise<void> => {
    if (isSelf) navigate('/organizations');
    await refreshOrganization(organization.id);
  };
  if (member.pending) {
    return (
      <ConfirmedButton
        label={t('members.withdraw')}
        description={t('members.withdrawThat', { name })}
        title={t('members.withdrawTitle', { name })}
        act={remove}
        onDone={() => void finish()}
      >
        {t('members.withdrawText', { name })}
      </ConfirmedButton>
    );
  }
  return (
    <ConfirmedButton
      label={isSelf ? t('members.leave') : t('members.remove')}
      description={isSelf ? t('members.leave') : t('members.removeThat', { name })}
      title={
        isSelf
          ? t('members.leaveTitle', { organization: organization.name })
          : t('members.removeTitle', { name })
      }
      act={remove}
      onDone={() => void finish()}
    >
      {isSelf ? t('members.leaveText') : t('members.removeText', { name })}
    </ConfirmedButton>
  );
}

interface RoleButtonProps {
  readonly member: OrganizationMember;
  readonly organization: OwnOrganization;
  readonly permissions: OrganizationPermissions;
}

function RoleButton({ member, organization: { id }, permissions }: RoleButtonProps) {
  const { t } = useTranslation('organization');
  const [role, setRole] = useState<string>(member.role);
  const name = personName(member);
  return (
    <ConfirmedButton
      label={t('members.changeRole')}
      description={t('members.changeRoleOf', { name })}
      title={t('members.changeRoleOf', { name })}
      tone="primary"
      act={() =>
        withFreshSignIn(() =>
          cloud.updateOrganizationMember({ id, user_id: member.id, role: parseRole(role) }),
        )
      }
      onDone={() => void refreshOrganization(id)}
    >
      <Stack>
        <RoleSelect value={role} permissions={permissions} onChange={setRole} />
      </Stack>
    </ConfirmedButton>
  );
}
