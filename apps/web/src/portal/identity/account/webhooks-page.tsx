import { useTranslation } from 'react-i18next';
import { Webhooks } from '../../alerting/webhooks/webhooks.tsx';
import { AccountPage } from '../../frame/account-page.tsx';

/** Programs that the account's events are sent to. */
export function Page() {
  const { t } = useTranslation('account');
  return (
    <AccountPage part={t('webhooks')}>
      <Webhooks organizationId={null} />
    </AccountPage>
  );
}
