import type { SiteSummary } from '@heliograph/client';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { OnlineBadge } from '../../shared/components/status/online-badge.tsx';
import { batteryLabel, inverterLabel } from '../site/hardware-labels.ts';
import { HeadlineValues } from './headline-values.tsx';
import classes from './site-card.module.css';
import { useOnScreen } from './use-on-screen.ts';

interface SiteCardProps {
  readonly site: SiteSummary;
  /** Whether there is no other: then it says louder where it leads. */
  readonly isOnly: boolean;
}

/** One site in a list; all of it leads there. */
export function SiteCard({ site, isOnly }: SiteCardProps) {
  const { t } = useTranslation('sites');
  const card = useRef<HTMLElement>(null);
  const isOnScreen = useOnScreen(card);
  const hardware = [inverterLabel(site, t), batteryLabel(site, t)]
    .filter((words) => words !== '')
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
