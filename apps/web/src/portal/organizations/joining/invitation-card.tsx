import type { TeamInvitation } from '@heliograph/client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { useFormat } from '../../../shared/format/use-format.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { ROLE_DESCRIPTIONS, ROLE_LABELS } from '../../ui/organization-roles.ts';
import { invitationsQuery } from '../organization/queries.ts';
import { refreshOrganization } from '../organization/use-change-organization.ts';

interface InvitationCardProps {
  readonly invitation: TeamInvitation;
}

/** An organization that invites the visitor to its team. */
export function InvitationCard({ invitation }: InvitationCardProps) {
  const { t } = useTranslation('organization');
  const format = useFormat();
  const [, navigate] = useLocation();
  const { id, name: organization } = invitation.organization;
  const finish = async (): Promise<void> => {
    await refreshOrganization(id);
    await queries.invalidateQueries(invitationsQuery);
  };
  const { submit, isPending, error } = useSubmit(() => cloud.acceptTeamInvitation({ organization_id: id }), {
    onDone: () => {
      navigate(`/organizations/${id}/sites`);
      void finish();
    },
  });
  return (
    <Card title={t('invitations.card', { organization })}>
      <Stack gap="sm">
        {invitation.invited_by !== null && (
          <Text>{t('invitations.by', { name: invitation.invited_by })}</Text>
        )}
        <Text>
          {t(ROLE_LABELS[invitation.role])}: {t(ROLE_DESCRIPTIONS[invitation.role])}
        </Text>
        <Text>{t('invitations.text', { organization })}</Text>
        <Text c="dimmed">{t('invitations.until', { at: format.dateTime(invitation.expires_at) })}</Text>
        <FormError error={error} />
        <Group gap="sm">
          <Button loading={isPending} onClick={() => submit(undefined)}>
            {t('invitations.accept')}
          </Button>
          <ConfirmedButton
            label={t('invitations.decline')}
            title={t('invitations.declineTitle', { organization })}
            act={() => cloud.declineTeamInvitation({ organization_id: id })}
            onDone={() => void finish()}
          >
            {t('invitations.declineText')}
          </ConfirmedButton>
        </Group>
      </Stack>
    </Card>
  );
}

/** The visitor's invitations, where there are any. */
export function InvitationCards() {
  const invitations = useQuery(invitationsQuery);
  return invitations.data?.map((invitation) => (
    <InvitationCard key={invitation.organization.id} invitation={invitation} />
  ));
}
