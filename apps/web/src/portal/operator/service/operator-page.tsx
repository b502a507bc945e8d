import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TabbedPage } from '../../ui/tabs/tabbed-page.tsx';

interface OperatorPageProps {
  /** The part that shows. */
  readonly part: string;
  readonly children: ReactNode;
}

/** The tabs of the operator's pages. */
export function OperatorPage({ part, children }: OperatorPageProps) {
  const { t } = useTranslation('operator');
  const { t: tShared } = useTranslation('organization');
  const links = [
    { href: '/operator', label: t('devices.title') },
    { href: '/operator/activation', label: t('activation.title') },
    { href: '/operator/proxies', label: t('proxies.title') },
    { href: '/operator/organizations', label: t('organizations.title') },
    { href: '/operator/users', label: t('users.title') },
    { href: '/operator/tickets', label: tShared('work.tickets') },
    { href: '/operator/support', label: tShared('work.recovery') },
    { href: '/operator/orders', label: tShared('work.orders') },
    { href: '/operator/catalogue', label: tShared('work.catalogue') },
    { href: '/operator/audit', label: t('audit.title') },
  ];
  return (
    <TabbedPage title={t('title')} part={part} links={links}>
      {children}
    </TabbedPage>
  );
}
