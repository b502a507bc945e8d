import type { LocalSite } from '@heliograph/client';
import { Badge, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Empty } from '../../../shared/components/states/empty.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { Row, Rows } from '../../ui/lists/rows.tsx';
import { nearbyQuery } from '../list/queries.ts';
import { deviceUrl } from '../site/reach/device-url.ts';
import classes from './narrow-page.module.css';

interface NearbyDevicesProps {
  /** The device to mark. */
  readonly uid: string | undefined;
}

/** The reader's sites whose devices are on the network that this browser is on. */
export function NearbyDevices({ uid }: NearbyDevicesProps) {
  const { t } = useTranslation(['adding', 'sites']);
  return (
    <QueryResult query={useQuery(nearbyQuery(uid))}>
      {(sites) => {
        if (sites.length === 0) return <Empty title={t('nearby.none')}>{t('nearby.noneHint')}</Empty>;
        return (
          <>
            <p className={classes.text}>{t('nearby.note')}</p>
            <Rows label={t('nearby.title')}>
              {sites.map((site) => (
                <NearbyDevice key={site.id} site={site} />
              ))}
            </Rows>
          </>
        );
      }}
    </QueryResult>
  );
}

function NearbyDevice({ site }: { readonly site: LocalSite }) {
  const { t } = useTranslation(['adding', 'sites']);
  const { ago } = useFormat();
  const localUrl = deviceUrl(site.local_ip);
  return (
    <Row
      title={
        <>
          {site.url === null ? t('sites:unnamed', { id: site.id }) : nameIn(site.url)}
          {site.uid_match && <Badge variant="light">{t('nearby.match')}</Badge>}
        </>
      }
      facts={[site.last_seen_at !== null && t('nearby.seen', { ago: ago(site.last_seen_at) })]}
      actions={
        <>
          <Button variant="default" component={Link} href={`/sites/${site.id}`}>
            {t('nearby.toSite')}
          </Button>
          {localUrl !== undefined && (
            <Button variant="default" component="a" href={localUrl} rel="noreferrer">
              {t('nearby.toDevice', { address: site.local_ip })}
            </Button>
          )}
        </>
      }
    />
  );
}

function nameIn(url: string): string {
  return new URL(url).host.split('.')[0] ?? url;
}
