import type { OwnOrganization } from '@heliograph/client';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { parseRole } from '../../parts/organization-roles.ts';
import { withFreshSignIn } from '../../second-factor/fresh-sign-in.ts';
import { cloud } from '../../session/cloud.ts';
import type { OrganizationPermissions } from '../permissions.ts';
import { membersQuery } from '../queries.ts';
import { RoleSelect } from './role-select.tsx';

interface InviteFormProps {
  readonly organization: OwnOrganization;
  readonly standing: OrganizationPermissions;
  readonly onClose: () => void;
}

const NOBODY = { email: '', firstName: '', lastName: '', role: 'member' };

export function InviteForm({ organization: { id }, standing, onClose }: InviteFormProps) {
  const { t } = useTranslation('organization');
  const [person, setPerson] = useState(NOBODY);
  const write = (changes: Partial<typeof NOBODY>): void => setPerson({ ...person, ...changes });
  const { submit, isPending, fields, error } = useSubmit(
    ({ email, firstName, lastName, role }: typeof NOBODY) =>
      withFreshSignIn(() =>
        cloud.organizations.members(id).invite({
          email,
          role: parseRole(role),
          ...(firstName !== '' && { firstName }),
          ...(lastName !== '' && { lastName }),
        }),
      ),
    {
      onDone: () => {
        void queries.invalidateQueries(membersQuery(id));
        onClose();
      },
    },
  );
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    submit(person);
  };
  return (
    <form onSubmit={send}>
      <Stack gap="md" maw="36rem">
        <TextInput
          type="email"
          label={t('invite.email')}
          required
          autoFocus
          autoComplete="off"
          value={person.email}
          error={fields.email}
          onChange={(event) => write({ email: event.currentTarget.value })}
        />
        <RoleSelect
          value={person.role}
          standing={standing}
          error={fields.role}
          onChange={(role) => write({ role })}
        />
        <Text size="sm" c="dimmed">
          {t('invite.names')}
        </Text>
        <Group grow preventGrowOverflow={false} align="flex-start">
          <TextInput
            label={t('invite.firstName')}
            maxLength={255}
            value={person.firstName}
            error={fields.first_name}
            onChange={(event) => write({ firstName: event.currentTarget.value })}
          />
          <TextInput
            label={t('invite.lastName')}
            maxLength={255}
            value={person.lastName}
            error={fields.last_name}
            onChange={(event) => write({ lastName: event.currentTarget.value })}
          />
        </Group>
        <FormError error={error} />
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            {t('invite.send')}
          </Button>
          <Button variant="default" disabled={isPending} onClick={onClose}>
            {t('cancel', { ns: 'shared' })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
