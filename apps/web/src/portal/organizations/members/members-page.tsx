import type { OwnOrganization } from '@heliograph/client';
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { FormFooter } from '../../../shared/components/form/form-footer.tsx';
import { useApiForm } from '../../../shared/components/form/use-api-form.ts';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { withFreshSignIn } from '../../session/fresh-sign-in.ts';
import { MoreButton } from '../../ui/lists/more-button.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Rows } from '../../ui/lists/rows.tsx';
import { NameFields } from '../../ui/name-fields.tsx';
import { parseRole } from '../../ui/organization-roles.ts';
import { OrganizationPage } from '../organization/organization-page.tsx';
import type { OrganizationPermissions } from '../organization/permissions.ts';
import { membersQuery } from '../organization/queries.ts';
import { useChangeOrganization } from '../organization/use-change-organization.ts';
import { MemberRow } from './member-row.tsx';
import { RoleSelect } from './role-select.tsx';

export function Page() {
  const { t } = useTranslation('organization');
  const [isInviting, setInviting] = useState(false);
  return (
    <OrganizationPage part={t('members.title')}>
      {(organization, permissions) => (
        <>
          {isInviting && (
            <Card title={t('invite.title')}>
              <InviteForm
                organization={organization}
                permissions={permissions}
                onClose={() => setInviting(false)}
              />
            </Card>
          )}
          <Card
            title={t('members.title')}
            action={
              permissions.isManager &&
              !isInviting && <Button onClick={() => setInviting(true)}>{t('invite.start')}</Button>
            }
          >
            <MemberList organization={organization} permissions={permissions} />
          </Card>
          {permissions.isManager && <RequiredCard organization={organization} />}
        </>
      )}
    </OrganizationPage>
  );
}

interface MemberListProps {
  readonly organization: OwnOrganization;
  readonly permissions: OrganizationPermissions;
}

function MemberList({ organization, permissions }: MemberListProps) {
  const { t } = useTranslation('organization');
  const members = useInfiniteQuery(membersQuery(organization.id));
  return (
    <>
      <QueryResult query={members}>
        {(list) => {
          // Owners come first, so that a page has two if there are two.
          const owners = list.filter(({ role, pending }) => role === 'owner' && !pending).length;
          if (list.length === 0) return <Empty title={t('members.none')}>{t('members.noneText')}</Empty>;
          return (
            <Rows label={t('members.title')}>
              {list.map((member) => (
                <MemberRow
                  key={member.id}
                  member={member}
                  organization={organization}
                  permissions={permissions}
                  isLastOwner={member.role === 'owner' && !member.pending && owners === 1}
                />
              ))}
            </Rows>
          );
        }}
      </QueryResult>
      <MoreButton list={members} />
    </>
  );
}

/** Whether an organization requires a second factor of the people who work for it. */
function RequiredCard({ organization }: { readonly organization: OwnOrganization }) {
  const { t } = useTranslation('security');
  const { submit, isPending, fields, error } = useChangeOrganization(organization.id, () => undefined);
  return (
    <Card title={t('requireTitle')}>
      <Checkbox
        label={t('require')}
        description={t('requireText')}
        checked={organization.requires_second_factor}
        disabled={isPending}
        error={fields.requires_second_factor && t('requireOwn')}
        onChange={(event) => submit({ requires_second_factor: event.currentTarget.checked })}
      />
      <FormError error={error} />
    </Card>
  );
}

interface InviteFormProps {
  readonly organization: OwnOrganization;
  readonly permissions: OrganizationPermissions;
  readonly onClose: () => void;
}

function InviteForm({ organization: { id }, permissions, onClose }: InviteFormProps) {
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
