import { useTranslation } from 'react-i18next';
import { CodesCard } from '../../devices/activation/codes-card.tsx';
import { RequestsCard } from '../../devices/activation/requests-card.tsx';
import { OperatorPage } from './operator-page.tsx';

/** Requests for activation, and the service's own codes; organizations have theirs on their pages. */
export function Page() {
  const { t } = useTranslation('operator');
  return (
    <OperatorPage part={t('activation.title')}>
      <RequestsCard />
      <CodesCard issuer="service" />
    </OperatorPage>
  );
}
