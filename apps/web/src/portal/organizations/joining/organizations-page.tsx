import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { usePortalSession } from '../../session/session.ts';
import { Rows } from '../../ui/lists/rows.tsx';
import { InvitationCards } from './invitation-card.tsx';
import { OrganizationRow } from './organization-row.tsx';

/** Those that the visitor works for. */
export function Page() {
  const { t } = useTranslation('organization');
  const { organizations } = usePortalSession();
  return (
    <Stack gap="lg">
      <PageTitle text={t('list.title')} />
      <InvitationCards />
      {organizations.length === 0 ? (
        <Empty title={t('list.none')}>{t('list.noneText')}</Empty>
      ) : (
        <Card title={t('list.yours')}>
          <Rows label={t('list.yours')}>
            {organizations.map((organization) => (
              <OrganizationRow key={organization.id} organization={organization} />
            ))}
          </Rows>
        </Card>
      )}
    </Stack>
  );
}
