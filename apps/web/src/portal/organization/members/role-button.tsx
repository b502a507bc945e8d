import type { OrganizationMember, OwnOrganization } from '@heliograph/client';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { parseRole } from '../../parts/organization-roles.ts';
import { withFreshSignIn } from '../../second-factor/fresh-sign-in.ts';
import { cloud } from '../../session/cloud.ts';
import type { OrganizationPermissions } from '../permissions.ts';
import { refreshOrganization } from '../use-change-organization.ts';
import { RoleSelect } from './role-select.tsx';

interface RoleButtonProps {
  readonly member: OrganizationMember;
  readonly organization: OwnOrganization;
  readonly standing: OrganizationPermissions;
}

/** Gives somebody another role. */
export function RoleButton({ member, organization: { id }, standing }: RoleButtonProps) {
  const { t } = useTranslation('organization');
  const [role, setRole] = useState<string>(member.role);
  const name = `${member.first_name} ${member.last_name}`.trim() || member.email;
  return (
    <ConfirmedButton
      label={t('members.changeRole')}
      description={t('members.changeRoleOf', { name })}
      title={t('members.changeRoleOf', { name })}
      tone="primary"
      act={() =>
        withFreshSignIn(() => cloud.organizations.members(id).changeRole(member.id, parseRole(role)))
      }
      onDone={() => void refreshOrganization(id)}
    >
      <Stack>
        <RoleSelect value={role} standing={standing} onChange={setRole} />
      </Stack>
    </ConfirmedButton>
  );
}
