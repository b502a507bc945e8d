import type { SiteInvitation } from '@heliograph/client';
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { FormError } from '../../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { queries } from '../../../shared/queries/query-client.ts';
import { cloud } from '../../session/cloud.ts';
import { ConfirmedButton } from '../../ui/confirmed-button.tsx';
import { siteInvitationsQuery } from './site-invitations-query.ts';

const ROLE_LABELS = { owner: 'roles.owner', admin: 'roles.admin', member: 'roles.member' } as const;
const ROLE_HINTS = {
  owner: 'roles.ownerHint',
  admin: 'roles.adminHint',
  member: 'roles.memberHint',
} as const;

interface SiteInvitationCardProps {
  readonly invitation: SiteInvitation;
}

/** A role on a site that the visitor has not accepted: nothing but its buttons accepts or declines it. */
export function SiteInvitationCard({ invitation }: SiteInvitationCardProps) {
  const { t } = useTranslation(['joining', 'members', 'sites']);
  const [, navigate] = useLocation();
  const [keepsFormer, setKeepsFormer] = useState(false);
  const { id, name } = invitation.site;
  const site = name ?? t('unnamed', { ns: 'sites', id });
  const { role, former_owner: former } = invitation;
  const refresh = async (): Promise<void> => {
    await Promise.all([
      queries.invalidateQueries(siteInvitationsQuery),
      queries.invalidateQueries({ queryKey: ['sites'] }),
      queries.invalidateQueries({ queryKey: ['site', id], exact: true }),
    ]);
  };
  const { submit, isPending, error } = useSubmit(
    () => cloud.acceptSiteInvitation({ site_id: id, keep_former_owner: keepsFormer }),
    { onDone: () => void refresh() },
  );
  return (
    <Card title={t(role === 'owner' ? 'titleOwner' : 'title', { site })}>
      <Stack gap="sm">
        {invitation.invited_by !== null && <Text>{t('by', { name: invitation.invited_by })}</Text>}
        <Text>
          {t(ROLE_LABELS[role], { ns: 'members' })}: {t(ROLE_HINTS[role], { ns: 'members' })}
        </Text>
        <Text>{former === null ? t('text') : t('textOwner', { name: former })}</Text>
        {former !== null && (
          <Checkbox
            label={t('keep', { name: former })}
            checked={keepsFormer}
            onChange={(event) => setKeepsFormer(event.currentTarget.checked)}
          />
        )}
        <FormError error={error} />
        <Group gap="sm">
          <Button loading={isPending} onClick={() => submit(undefined)}>
            {t('accept')}
          </Button>
          <ConfirmedButton
            label={t('decline')}
            title={t('declineTitle', { site })}
            act={() => cloud.declineSiteInvitation({ site_id: id })}
            onDone={() => {
              navigate('/sites');
              void refresh();
            }}
          >
            {former !== null && <p>{t('declineOwner', { name: former })}</p>}
            <p>{t('declineText')}</p>
          </ConfirmedButton>
        </Group>
      </Stack>
    </Card>
  );
}
