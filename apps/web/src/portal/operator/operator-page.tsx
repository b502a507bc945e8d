import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PartedPage } from '../parts/parted-page.tsx';

interface OperatorPageProps {
  /** The part that shows. */
  readonly part: string;
  readonly children: ReactNode;
}

/** What the pages of whoever runs the service stand in. */
export function OperatorPage({ part, children }: OperatorPageProps) {
  const { t } = useTranslation('operator');
  const links = [
    { href: '/operator', text: t('devices.title') },
    { href: '/operator/activation', text: t('activation.title') },
    { href: '/operator/proxies', text: t('proxies.title') },
    { href: '/operator/organizations', text: t('organizations.title') },
    { href: '/operator/users', text: t('users.title') },
    { href: '/operator/audit', text: t('audit.title') },
  ];
  return (
    <PartedPage title={t('title')} part={part} links={links}>
      {children}
    </PartedPage>
  );
}
