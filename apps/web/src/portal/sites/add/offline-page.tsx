import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'wouter';
import { Card } from '../../../shared/components/card/card.tsx';
import { StateBadge } from '../../../shared/components/status/state-badge.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { siteAtQuery } from '../list/queries.ts';
import { BackToSites } from '../site/back-to-sites.tsx';
import { OfflineHelp } from '../site/reach/offline-help.tsx';
import classes from './narrow-page.module.css';

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
  return (
    <QueryResult query={useQuery(siteAtQuery(host))}>
      {(site) => {
        if (site === null) {
          return (
            <Card title={host === '' ? t('away.noHost') : host}>
              <p className={classes.text}>{t('away.unknown')}</p>
            </Card>
          );
        }
        const badge = <StateBadge state={site.state} lastSeenAt={site.last_seen_at} />;
        return (
          <Card title={site.name ?? host} action={badge}>
            <OfflineHelp siteId={site.id} localAddress={site.local_ip} />
            <Button className={classes.send} variant="default" component={Link} href={`/sites/${site.id}`}>
              {t('away.toSite')}
            </Button>
          </Card>
        );
      }}
    </QueryResult>
  );
}
