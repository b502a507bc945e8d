import { useTranslation } from 'react-i18next';
import { Webhooks } from '../../alerting/webhooks/webhooks.tsx';
import { OrganizationPage } from './organization-page.tsx';

/** Programs that the organization's events are sent to. */
export function Page() {
  const { t } = useTranslation('organization');
  return (
    <OrganizationPage part={t('work.webhooks')} forManagers>
      {({ id }) => <Webhooks organizationId={id} />}
    </OrganizationPage>
  );
}
