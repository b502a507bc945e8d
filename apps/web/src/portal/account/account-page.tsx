import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PartedPage } from '../parts/parted-page.tsx';

interface AccountPageProps {
  /** The part that shows. */
  readonly part: string;
  readonly children: ReactNode;
}

/** What the parts of one's own account stand in. */
export function AccountPage({ part, children }: AccountPageProps) {
  const { t } = useTranslation('account');
  const links = [
    { href: '/user', text: t('profile.title') },
    { href: '/user/security', text: t('security.title') },
    { href: '/user/activity', text: t('activity.title') },
    { href: '/user/tokens', text: t('tokens.title') },
    { href: '/user/applications', text: t('applications.title') },
  ];
  return (
    <PartedPage title={t('title')} part={part} links={links}>
      {children}
    </PartedPage>
  );
}
