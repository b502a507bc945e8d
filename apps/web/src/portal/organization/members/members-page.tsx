import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { OrganizationPage } from '../organization-page.tsx';
import { InviteForm } from './invite-form.tsx';
import { MemberList } from './member-list.tsx';
import { RequiredCard } from './required-card.tsx';

/** Who works for an organization. */
export function Page() {
  const { t } = useTranslation('organization');
  const [isInviting, setInviting] = useState(false);
  return (
    <OrganizationPage part={t('members.title')}>
      {(organization, standing) => (
        <>
          {isInviting && (
            <Card title={t('invite.title')}>
              <InviteForm
                organization={organization}
                standing={standing}
                onClose={() => setInviting(false)}
              />
            </Card>
          )}
          <Card
            title={t('members.title')}
            action={
              standing.isManager &&
              !isInviting && <Button onClick={() => setInviting(true)}>{t('invite.start')}</Button>
            }
          >
            <MemberList organization={organization} standing={standing} />
          </Card>
          {standing.isManager && <RequiredCard organization={organization} />}
        </>
      )}
    </OrganizationPage>
  );
}
