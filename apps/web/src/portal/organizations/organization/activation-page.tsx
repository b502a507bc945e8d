import { useTranslation } from 'react-i18next';
import { CodesCard } from '../../devices/activation/codes-card.tsx';
import { RequestsCard } from '../../devices/activation/requests-card.tsx';
import { OrganizationPage } from './organization-page.tsx';

/** Requests for activation, and the codes of the organization. */
export function Page() {
  const { t } = useTranslation('organization');
  return (
    <OrganizationPage part={t('activation.title')} forManagers>
      {({ id }) => (
        <>
          <RequestsCard organizationId={id} />
          <CodesCard issuer={id} />
        </>
      )}
    </OrganizationPage>
  );
}
