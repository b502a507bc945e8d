import type { LocalSite } from '@heliograph/client';
import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Empty } from '../../shared/components/states/empty.tsx';
import { Failure } from '../../shared/components/states/failure.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { useFormat } from '../../shared/format/use-format.ts';
import classes from './nearby-devices.module.css';
import { nearbyQuery } from './queries.ts';

interface NearbyDevicesProps {
  /** The device that somebody looks for. */
  readonly uid: string | undefined;
}

/** The reader's sites whose devices are on the network that this browser is on. */
export function NearbyDevices({ uid }: NearbyDevicesProps) {
  const { t } = useTranslation('sites');
  const { data, error, refetch } = useQuery(nearbyQuery(uid));
  if (data === undefined) {
    return error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />;
  }
  if (data.length === 0) return <Empty title={t('nearby.none')}>{t('nearby.noneHint')}</Empty>;
  return (
    <>
      <p className={classes.note}>{t('nearby.note')}</p>
      <ul className={classes.list}>
        {data.map((site) => (
          <NearbyDevice key={site.id} site={site} />
        ))}
      </ul>
    </>
  );
}

function NearbyDevice({ site }: { readonly site: LocalSite }) {
  const { t } = useTranslation('sites');
  const { ago } = useFormat();
  const name = site.url === null ? t('unnamed', { id: site.id }) : nameIn(site.url);
  return (
    <li className={classes.device}>
      <div className={classes.words}>
        <strong>{name}</strong>
        {site.uid_match && <Badge variant="light">{t('nearby.match')}</Badge>}
        {site.last_seen_at !== null && (
          <span className={classes.seen}>{t('nearby.seen', { ago: ago(site.last_seen_at) })}</span>
        )}
      </div>
      <div className={classes.ways}>
        <Link href={`/sites/${site.id}`}>{t('nearby.toSite')}</Link>
        {site.local_ip !== null && (
          <a href={`http://${site.local_ip}/`} rel="noreferrer">
            {t('nearby.toDevice', { address: site.local_ip })}
          </a>
        )}
      </div>
    </li>
  );
}

function nameIn(url: string): string {
  return new URL(url).host.split('.')[0] ?? url;
}
