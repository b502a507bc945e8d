import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { StateBadge } from '../../shared/components/status/state-badge.tsx';
import { cloud } from '../session/cloud.ts';
import { batched } from './lists/batched.ts';

/** In milliseconds: the state changes by itself. */
const REFRESH_MS = 60_000;

/** Ids in a search, which may have 1,000 characters. */
const BATCH_SIZE = 50;

const loadSite = batched(
  (ids) => cloud.listSites({ q: `id:${ids.join(',')}`, limit: BATCH_SIZE }),
  BATCH_SIZE,
);

interface SiteBadgeProps {
  readonly siteId: number;
}

/** The state of a site that is named beside it; nothing where the reader may not see the site. */
export function SiteBadge({ siteId }: SiteBadgeProps) {
  const site = useNamedSite(siteId);
  return site !== null && <StateBadge state={site.state} lastSeenAt={site.last_seen_at} />;
}

interface NamedSiteProps {
  readonly site: { readonly id: number; readonly name: string | null };
  /** Its name where it has another one in its context. */
  readonly children?: ReactNode;
}

/** A site on a page about something else, with its state and a link where the reader may see the site. */
export function NamedSite({ site: { id, name }, children = name ?? `#${id}` }: NamedSiteProps) {
  const site = useNamedSite(id);
  if (site === null) return children;
  return (
    <>
      <Link href={`/sites/${id}`}>{children}</Link> <SiteBadge siteId={id} />
    </>
  );
}

/** Null for a site that the reader may not see, and until it is known. */
function useNamedSite(id: number) {
  const { data = null } = useQuery({
    queryKey: ['named-site', id],
    queryFn: async () => (await loadSite(id)) ?? null,
    refetchInterval: REFRESH_MS,
  });
  return data;
}
