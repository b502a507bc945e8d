import type { OrganizationMember, OwnOrganization } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { cloud } from '../../session/cloud.ts';
import { refreshOrganization } from '../use-change-organization.ts';

interface RemoveButtonProps {
  readonly member: OrganizationMember;
  readonly organization: OwnOrganization;
  /** Whether it is the visitor, who leaves. */
  readonly isSelf: boolean;
}

export function RemoveButton({ member, organization, isSelf }: RemoveButtonProps) {
  const { t } = useTranslation('organization');
  const [, navigate] = useLocation();
  const name = `${member.first_name} ${member.last_name}`.trim() || member.email;
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
        act={() => cloud.organizations.members(organization.id).remove(member.id)}
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
      act={() => cloud.organizations.members(organization.id).remove(member.id)}
      onDone={() => void finish()}
    >
      {isSelf ? t('members.leaveText') : t('members.removeText', { name })}
    </ConfirmedButton>
  );
}
