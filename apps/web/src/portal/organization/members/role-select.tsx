import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ROLE_MEANINGS, ROLE_TEXTS, ROLES, roleOf } from '../roles.ts';
import type { Standing } from '../standing.ts';

interface RoleSelectProps {
  readonly value: string;
  /** Of whoever chooses: only owners make owners. */
  readonly standing: Standing;
  readonly error?: string | undefined;
  readonly onChange: (role: string) => void;
}

export function RoleSelect({ value, standing, error, onChange }: RoleSelectProps) {
  const { t } = useTranslation('organization');
  const roles = ROLES.filter((role) => role !== 'owner' || standing.isOwner);
  return (
    <NativeSelect
      label={t('roles.title')}
      description={t(ROLE_MEANINGS[roleOf(value)])}
      value={value}
      error={error}
      data={roles.map((role) => ({ value: role, label: t(ROLE_TEXTS[role]) }))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
