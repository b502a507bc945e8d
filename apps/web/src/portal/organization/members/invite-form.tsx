import type { OwnOrganization } from '@heliograph/client';
import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormFooter } from '../../../shared/components/form/form-footer.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { NameFields } from '../../parts/name-fields.tsx';
import { parseRole } from '../../parts/organization-roles.ts';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import type { OrganizationPermissions } from '../permissions.ts';
import { membersQuery } from '../queries.ts';
import { RoleSelect } from './role-select.tsx';

interface InviteFormProps {
  readonly organization: OwnOrganization;
  readonly permissions: OrganizationPermissions;
  readonly onClose: () => void;
}

export function InviteForm({ organization: { id }, permissions, onClose }: InviteFormProps) {
  const { t } = useTranslation('organization');
  const form = useApiForm({
    initialValues: { email: '', firstName: '', lastName: '', role: 'member' },
    send: ({ email, firstName, lastName, role }) =>
      withFreshSignIn(() =>
        cloud.addOrganizationMember({
          id,
          email,
          role: parseRole(role),
          first_name: firstName || undefined,
          last_name: lastName || undefined,
        }),
      ),
    onDone: () => {
      void queries.invalidateQueries(membersQuery(id));
      onClose();
    },
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="md" maw="36rem">
        <TextInput
          type="email"
          label={t('invite.email')}
          required
          autoFocus
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <RoleSelect permissions={permissions} value={form.values.role} {...form.getInputProps('role')} />
        <Text size="sm" c="dimmed">
          {t('invite.names')}
        </Text>
        <Group grow preventGrowOverflow={false} align="flex-start">
          <NameFields
            first={{ label: t('invite.firstName'), ...form.getInputProps('firstName') }}
            last={{ label: t('invite.lastName'), ...form.getInputProps('lastName') }}
          />
        </Group>
        <FormFooter form={form} submitLabel={t('invite.send')} onCancel={onClose} />
      </Stack>
    </form>
  );
}
