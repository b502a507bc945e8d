import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { usePortalSession } from '../../session/session.ts';
import { SignInPanel } from '../sign-in/sign-in-panel.tsx';
import { FindSite } from './find-site.tsx';
import { siteLink } from './site-link.ts';

interface SiteSignInProps {
  readonly site: string;
  readonly query: URLSearchParams;
}

/** Signs a visitor in whom a site's own host sent here, and sends them back with what lets them in. */
export function SiteSignIn({ site, query }: SiteSignInProps) {
  const { t } = useTranslation('entry');
  const { user } = usePortalSession();
  const link = siteLink(site, query);
  if (link === undefined) {
    return (
      <>
        <PageTitle text={t('toSite.unnamed.title')} focusOnMount />
        <Text>{t('toSite.unnamed.text')}</Text>
      </>
    );
  }
  if (user !== null) return <FindSite link={link} email={user.email} />;
  return <SignInPanel title={t('toSite.signIn.title', { site })} text={t('toSite.signIn.text')} />;
}
