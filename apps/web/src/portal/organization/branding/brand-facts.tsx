import type { OwnOrganization } from '@heliograph/client';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/components/card/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ROLE_LABELS } from '../../parts/organization-roles.ts';

/** For those who look and do not change. */
export function BrandFacts({ organization }: { readonly organization: OwnOrganization }) {
  const { t } = useTranslation('organization');
  const { name, cloud_host: host, role } = organization;
  const facts = [
    { name: t('branding.name'), value: name },
    { name: t('branding.host'), value: host ?? t('branding.noHost') },
    ...(role === null ? [] : [{ name: t('branding.role'), value: t(ROLE_LABELS[role]) }]),
  ];
  return (
    <Card title={t('branding.title')}>
      <Facts facts={facts} />
      <Text size="sm" c="dimmed">
        {t('branding.readOnly')}
      </Text>
    </Card>
  );
}
