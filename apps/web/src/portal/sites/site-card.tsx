import type { SiteSummary } from '@heliograph/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { OnlineBadge } from '../../shared/components/status/online-badge.tsx';
import { useFormat } from '../../shared/format/use-format.ts';
import { batteryLabel, inverterLabel } from '../site/hardware-labels.ts';
import { directionOf, type Headline } from './headline.ts';
import { headlineQuery } from './queries.ts';
import classes from './site-card.module.css';

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
        <OnlineBadge isOnline={site.online} lastSeenAt={site.last_seen_at} />
      </div>
      {site.description && <p className={classes.description}>{site.description}</p>}
      {hardware !== '' && <p className={classes.hardware}>{hardware}</p>}
      {site.online && <HeadlineValues siteId={site.id} isVisible={isOnScreen} />}
      {isOnly && (
        <span className={classes.open} aria-hidden="true">
          {t('list.open')}
        </span>
      )}
    </article>
  );
}

const GRID_LABELS = { in: 'headline.fromGrid', out: 'headline.toGrid', still: 'headline.grid' } as const;
const BATTERY_LABELS = {
  in: 'headline.charging',
  out: 'headline.discharging',
  still: 'headline.battery',
} as const;

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
  return <Values headline={data} isOld={isError} />;
}

function Values({ headline, isOld }: { readonly headline: Headline; readonly isOld: boolean }) {
  const { t } = useTranslation('sites');
  const { solar, load, grid, battery, stateOfCharge } = headline;
  return (
    <dl className={classes.values} data-old={isOld || undefined}>
      <Power label={t('headline.solar')} watts={solar} tone="solar" />
      <Power label={t('headline.load')} watts={load} tone="load" />
      <Power label={t(GRID_LABELS[directionOf(grid ?? null)])} watts={grid} tone="grid" />
      <Power label={t(BATTERY_LABELS[directionOf(battery ?? null)])} watts={battery} tone="battery" />
      <Percent label={t('headline.stateOfCharge')} percent={stateOfCharge} />
    </dl>
  );
}

interface PowerProps {
  readonly label: string;
  /** Undefined for what the site does not have, null for what is unknown. */
  readonly watts: number | null | undefined;
  readonly tone: 'solar' | 'load' | 'grid' | 'battery';
}

function Power({ label, watts, tone }: PowerProps) {
  const { power } = useFormat();
  if (watts === undefined) return null;
  const shown = watts === null ? undefined : power(Math.abs(watts));
  return (
    <div className={classes.value} data-tone={tone}>
      <dt>{label}</dt>
      <dd>{shown === undefined ? '–' : `${shown.number} ${shown.unit}`}</dd>
    </div>
  );
}

function Percent({
  label,
  percent,
}: {
  readonly label: string;
  readonly percent: number | null | undefined;
}) {
  const { number } = useFormat();
  if (percent === undefined) return null;
  return (
    <div className={classes.value} data-tone="battery">
      <dt>{label}</dt>
      <dd>{percent === null ? '–' : `${number(Math.round(percent))} %`}</dd>
    </div>
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
