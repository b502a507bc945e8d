import type { SiteConnections } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/format/use-format.ts';
import { Row } from '../../parts/rows.tsx';
import { personName } from './person-name.ts';

interface OrganizationRowProps {
  readonly share: SiteConnections['organizations'][number];
}

/** An organization whose people may read the site, until an operator ends it. */
export function OrganizationRow({ share }: OrganizationRowProps) {
  const { t } = useTranslation('sites');
  const { date } = useFormat();
  const since = date(share.created_at);
  return (
    <Row
      title={share.organization.name}
      facts={[
        t('connections.organization'),
        share.shared_by === null
          ? t('connections.sharedOn', { date: since })
          : t('connections.sharedBy', { name: personName(share.shared_by), date: since }),
        t('connections.byOperator'),
      ]}
    />
  );
}
