import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { parseRole, ROLE_DESCRIPTIONS, ROLE_LABELS, ROLES } from '../../ui/organization-roles.ts';
import type { OrganizationPermissions } from '../organization/permissions.ts';

interface RoleSelectProps {
  readonly value: string;
  /** The reader's: only owners make owners. */
  readonly permissions: OrganizationPermissions;
  readonly error?: ReactNode;
  readonly onChange: (role: string) => void;
}

export function RoleSelect({ value, permissions, error, onChange }: RoleSelectProps) {
  const { t } = useTranslation('organization');
  const roles = ROLES.filter((role) => role !== 'owner' || permissions.isOwner);
  return (
    <NativeSelect
      label={t('roles.title')}
      description={t(ROLE_DESCRIPTIONS[parseRole(value)])}
      value={value}
      error={error}
      data={roles.map((role) => ({ value: role, label: t(ROLE_LABELS[role]) }))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
