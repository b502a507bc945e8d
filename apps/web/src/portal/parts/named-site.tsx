import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { StateBadge } from '../../shared/components/status/state-badge.tsx';
import { cloud } from '../session/cloud.ts';

/** In milliseconds: the state changes by itself. */
const REFRESH_MS = 60_000;

interface NamedSiteProps {
  readonly site: { readonly id: number; readonly name: string | null };
}

/** A site on a page about something else, with its state and a link where the reader may see the site. */
export function NamedSite({ site: { id, name } }: NamedSiteProps) {
  const { data: [site] = [] } = useQuery({
    queryKey: ['named-site', id],
    queryFn: () => cloud.listSites({ q: `id:${id}` }),
    refetchInterval: REFRESH_MS,
  });
  const shown = name ?? `#${id}`;
  if (site === undefined) return shown;
  return (
    <>
      <Link href={`/sites/${id}`}>{shown}</Link>{' '}
      <StateBadge state={site.state} lastSeenAt={site.last_seen_at} />
    </>
  );
}
