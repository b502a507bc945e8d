import { queries } from '../../../shared/queries/query-client.ts';
import { openAlertsQuery } from './open-alerts.ts';

/** Shows the count of open alerts at the icon of the app, whenever the pages learn it. */
export function followBadge(): void {
  const key = JSON.stringify(openAlertsQuery().queryKey);
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || JSON.stringify(query.queryKey) !== key) return;
    const { data } = query.state;
    if (Array.isArray(data)) void showBadge(data.length);
  });
}

/** Requests the open alerts, which the badge then shows. */
export async function refreshBadge(): Promise<void> {
  await queries.prefetchQuery({ ...openAlertsQuery(), staleTime: 60_000 });
}

export async function showBadge(count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  await (count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count)).catch(() => undefined);
}
