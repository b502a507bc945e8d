import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'wouter';
import { Card } from '../../shared/components/card/card.tsx';
import { Failure } from '../../shared/components/states/failure.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { OnlineBadge } from '../../shared/components/status/online-badge.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { AwayHelp } from './away-help.tsx';
import { BackToSites } from './back-to-sites.tsx';
import classes from './narrow-page.module.css';
import { siteAtQuery } from './queries.ts';

/** `/sites#offline?host=…`: the address of a site did not answer. */
export function Page() {
  const { t } = useTranslation('sites');
  const [params] = useSearchParams();
  return (
    <div className={classes.page}>
      <BackToSites />
      <PageTitle text={t('away.pageTitle')} />
      <SiteAt host={params.get('host') ?? ''} />
    </div>
  );
}

function SiteAt({ host }: { readonly host: string }) {
  const { t } = useTranslation('sites');
  const { data: site, error, refetch } = useQuery(siteAtQuery(host));
  if (site === undefined) {
    return error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />;
  }
  if (site === null) {
    return (
      <Card title={host === '' ? t('away.noHost') : host}>
        <p className={classes.text}>{t('away.unknown')}</p>
      </Card>
    );
  }
  return (
    <Card title={site.name ?? host} action={<OnlineBadge isOnline={site.online} lastSeenAt={site.last_seen_at} />}>
      <AwayHelp siteId={site.id} localAddress={site.local_ip} />
      <Button className={classes.send} variant="default" component={Link} href={`/sites/${site.id}`}>
        {t('away.toSite')}
      </Button>
    </Card>
  );
}
