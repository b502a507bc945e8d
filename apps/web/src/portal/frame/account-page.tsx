import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TabbedPage } from '../ui/tabs/tabbed-page.tsx';

interface AccountPageProps {
  /** The part that shows. */
  readonly part: string;
  readonly children: ReactNode;
}

/** The tabs of the reader's own account. */
export function AccountPage({ part, children }: AccountPageProps) {
  const { t } = useTranslation('account');
  const links = [
    { href: '/user', label: t('profile.title') },
    { href: '/user/security', label: t('security.title') },
    { href: '/user/notifications', label: t('notifications') },
    { href: '/user/activity', label: t('activity.title') },
    { href: '/user/tokens', label: t('tokens.title') },
    { href: '/user/webhooks', label: t('webhooks') },
    { href: '/user/applications', label: t('applications.title') },
    { href: '/user/orders', label: t('orders') },
    { href: '/user/tickets', label: t('support') },
    { href: '/user/data', label: t('data') },
  ];
  return (
    <TabbedPage title={t('title')} part={part} links={links}>
      {children}
    </TabbedPage>
  );
}
