import { ApiError } from '@heliograph/client';
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Failure } from '../../../../shared/components/states/failure.tsx';
import { Loading } from '../../../../shared/components/states/loading.tsx';
import { PageTitle } from '../../../../shared/components/title/page-title.tsx';
import { cloud } from '../../../session/cloud.ts';
import { usePortalSession } from '../../../session/session.ts';
import { useOneTimeAction } from '../links/use-one-time-action.ts';
import { SignInPanel } from '../sign-in/sign-in-panel.tsx';
import { recordRedirect } from './redirect-loop.ts';
import { callbackUrl, type SiteLink, siteLink } from './site-link.ts';
import { SwitchAccountButton } from './switch-account-button.tsx';

interface SiteSignInProps {
  readonly site: string;
  readonly query: URLSearchParams;
}

/** Signs in a visitor of a site's own host, and sends them back with a token for the site. */
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

interface FindSiteProps {
  readonly link: SiteLink;
  readonly email: string;
}

/** Finds the site by its name; of different regions several may have the same. */
function FindSite({ link, email }: FindSiteProps) {
  const { t } = useTranslation('entry');
  const { site, region } = link;
  const [chosen, setChosen] = useState<number>();
  const { data, error, refetch } = useQuery({
    queryKey: ['entry', 'to-site', site, region],
    queryFn: () =>
      cloud.listSites({ q: [`name:${site}`, ...(region === '' ? [] : [`region:${region}`])].join(' ') }),
  });
  if (error !== null) {
    return (
      <>
        <PageTitle text={t('toSite.failed', { site })} focusOnMount />
        <Failure error={error} onRetry={() => void refetch()} />
        <SwitchAccountButton />
      </>
    );
  }
  if (data === undefined) return <Loading />;
  const [only] = data;
  const id = data.length === 1 ? only?.id : chosen;
  if (id !== undefined) return <OpenSite key={id} id={id} link={link} />;
  if (data.length === 0) {
    return (
      <>
        <PageTitle text={t('toSite.none.title', { site })} focusOnMount />
        <Text role="status" style={{ overflowWrap: 'anywhere' }}>
          {t('toSite.none.text', { email })}
        </Text>
        <SwitchAccountButton />
      </>
    );
  }
  return (
    <>
      <PageTitle text={t('toSite.several.title', { site })} focusOnMount />
      <Text>{t('toSite.several.text')}</Text>
      {data.map((one) => (
        <Button key={one.id} variant="default" onClick={() => setChosen(one.id)}>
          {one.url === null ? t('toSite.several.number', { id: one.id }) : new URL(one.url).host}
        </Button>
      ))}
    </>
  );
}

interface OpenSiteProps {
  readonly id: number;
  readonly link: SiteLink;
}

/** Why a browser cannot go to the site. */
type Obstacle = 'no-host' | 'loop';

/** Redirects to the site's own host as the cloud reports it, and to no other. */
function OpenSite({ id, link: { site, returnTo, isRecovery } }: OpenSiteProps) {
  const { t } = useTranslation('entry');
  const [obstacle, setObstacle] = useState<Obstacle>();
  const { error, retry } = useOneTimeAction(async () => {
    const {
      site_host: host,
      token,
      site_key: key,
    } = await cloud.authorizeSite({
      id,
      ...(isRecovery && { roles: 'recovery' }),
    });
    if (host === undefined) setObstacle('no-host');
    else if (recordRedirect(site)) setObstacle('loop');
    // Not kept in the history: going back does not come here again, and the token does not stay there.
    else location.replace(callbackUrl({ host, token, key }, returnTo));
  });
  if (obstacle !== undefined) {
    const isLoop = obstacle === 'loop';
    return (
      <>
        <PageTitle
          text={isLoop ? t('toSite.loop.title', { site }) : t('toSite.noHost.title', { site })}
          focusOnMount
        />
        <Text>{isLoop ? t('toSite.loop.text') : t('toSite.noHost.text')}</Text>
      </>
    );
  }
  if (isRecovery && error instanceof ApiError && error.status === 403)
    return <SupportEnded id={id} site={site} />;
  if (error !== undefined) {
    return (
      <>
        <PageTitle text={t('toSite.failed', { site })} focusOnMount />
        <Failure error={error} onRetry={retry} />
        <SwitchAccountButton />
      </>
    );
  }
  return (
    <>
      <PageTitle text={t('toSite.opening', { site })} focusOnMount />
      <Loading />
    </>
  );
}

/** Shown in place of the site: the ordinary access of the visitor must not follow silently. */
function SupportEnded({ id, site }: { readonly id: number; readonly site: string }) {
  const { t } = useTranslation('entry');
  return (
    <>
      <PageTitle text={t('toSite.supportEnded.title', { site })} focusOnMount />
      <Text role="status">{t('toSite.supportEnded.text')}</Text>
      <Button component={Link} href={`/sites/${id}/support`}>
        {t('toSite.supportEnded.toSite')}
      </Button>
    </>
  );
}
