import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { parseRole, ROLE_DESCRIPTIONS, ROLE_LABELS, ROLES } from '../../parts/organization-roles.ts';
import type { OrganizationPermissions } from '../permissions.ts';

interface RoleSelectProps {
  readonly value: string;
  /** Of whoever chooses: only owners make owners. */
  readonly standing: OrganizationPermissions;
  readonly error?: string | undefined;
  readonly onChange: (role: string) => void;
}

export function RoleSelect({ value, standing, error, onChange }: RoleSelectProps) {
  const { t } = useTranslation('organization');
  const roles = ROLES.filter((role) => role !== 'owner' || standing.isOwner);
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
