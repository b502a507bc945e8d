import type { SiteSummary } from '@heliograph/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { StateBadge } from '../../../shared/components/status/state-badge.tsx';
import { useFormat } from '../../../shared/format/use-format.ts';
import { batteryLabel, inverterLabel } from '../site/device/hardware-labels.ts';
import { headlineOfNewest } from '../site/overview/headline.ts';
import { HeadlineList } from '../site/overview/headline-list.tsx';
import { headlineQuery } from './queries.ts';
import classes from './site-card.module.css';

/** Most homes have none. */
const OpenAlerts = lazy(async () => ({ default: (await import('./open-alerts.tsx')).OpenAlerts }));

/** Devices send their values every 15 minutes, in milliseconds with some leeway. */
const FRESH_MS = 20 * 60_000;

interface SiteCardProps {
  readonly site: SiteSummary;
  /** Whether the list has no other site: the card then has a button. */
  readonly isOnly: boolean;
}

/** One site in a list; all of it leads there. */
export function SiteCard({ site, isOnly }: SiteCardProps) {
  const { t } = useTranslation('sites');
  const card = useRef<HTMLElement>(null);
  const isOnScreen = useOnScreen(card);
  const hardware = [inverterLabel(site, t), batteryLabel(site, t)]
    .filter((label) => label !== '')
    .join(' · ');
  return (
    <article className={classes.card} ref={card} data-only={isOnly || undefined}>
      <div className={classes.head}>
        <h2 className={classes.name}>
          <Link className={classes.link} href={`/sites/${site.id}`}>
            {site.name ?? t('unnamed', { id: site.id })}
          </Link>
        </h2>
        <StateBadge state={site.state} lastSeenAt={site.last_seen_at} />
      </div>
      {site.open_alerts.count > 0 && (
        <p className={classes.hardware}>
          {t('tabs.alerts')}:{' '}
          <Suspense fallback={null}>
            <OpenAlerts alerts={site.open_alerts} />
          </Suspense>
        </p>
      )}
      {site.description && <p className={classes.description}>{site.description}</p>}
      {hardware !== '' && <p className={classes.hardware}>{hardware}</p>}
      <SiteValues site={site} isVisible={isOnScreen} />
      {isOnly && (
        <span className={classes.open} aria-hidden="true">
          {t('list.open')}
        </span>
      )}
    </article>
  );
}

interface SiteValuesProps {
  readonly site: SiteSummary;
  readonly isVisible: boolean;
}

/** Values that the cloud has, and those of the device where the cloud has none that are new enough. */
function SiteValues({ site, isVisible }: SiteValuesProps) {
  const { online, newest_values: newest } = site;
  const isFresh = newest !== null && Date.now() - Date.parse(newest.at) < FRESH_MS;
  if (online && !isFresh) return <HeadlineValues siteId={site.id} isVisible={isVisible} />;
  if (newest === null) return null;
  return (
    <>
      <HeadlineList headline={headlineOfNewest(newest)} isOld={!isFresh} />
      <AsOf at={newest.at} />
    </>
  );
}

/** The time of values that are not those of now, in ISO 8601. */
function AsOf({ at }: { readonly at: string }) {
  const { t } = useTranslation('sites');
  const { ago, dateTime } = useFormat();
  return (
    <p className={classes.hardware} title={dateTime(at)}>
      {t('list.asOf', { ago: ago(at) })}
    </p>
  );
}

interface HeadlineValuesProps {
  readonly siteId: number;
  /** Whether the values are in the viewport; otherwise no query runs. */
  readonly isVisible: boolean;
}

/** How a site does right now, in a few values. They come and go quietly: the list is there for more. */
function HeadlineValues({ siteId, isVisible }: HeadlineValuesProps) {
  const { t } = useTranslation('sites');
  const query = headlineQuery(useQueryClient(), siteId);
  const { data, isError } = useQuery({ ...query, enabled: isVisible });
  if (data === undefined) return <p className={classes.none}>{isError ? t('headline.none') : ' '}</p>;
  const { headline, oldSince } = data;
  return (
    <>
      <HeadlineList headline={headline} isOld={isError || oldSince !== undefined} />
      {oldSince != null && <AsOf at={oldSince} />}
    </>
  );
}

/** Whether the element is in the viewport. */
function useOnScreen(element: RefObject<Element | null>): boolean {
  const [isOnScreen, setOnScreen] = useState(false);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new IntersectionObserver((entries) =>
      setOnScreen(entries.at(-1)?.isIntersecting === true),
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isOnScreen;
}
