import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../../shared/components/states/failure.tsx';
import { Loading } from '../../../shared/components/states/loading.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { cloud } from '../../session/cloud.ts';
import { useOneTimeAction } from '../links/use-one-time-action.ts';
import { recordRedirect } from './redirect-loop.ts';
import { callbackUrl, type SiteLink } from './site-link.ts';
import { SwitchAccountButton } from './switch-account-button.tsx';

interface OpenSiteProps {
  readonly id: number;
  readonly link: SiteLink;
}

/** Why a browser cannot go to the site. */
type Obstacle = 'no-host' | 'loop';

/** Goes to the site's own host, and nowhere else than the cloud says. */
export function OpenSite({ id, link: { site, returnTo } }: OpenSiteProps) {
  const { t } = useTranslation('entry');
  const [obstacle, setObstacle] = useState<Obstacle>();
  const { error, retry } = useOneTimeAction(async () => {
    const { site_host: host, token, site_key: key } = await cloud.authorize(id);
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
