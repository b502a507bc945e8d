import { MetricsOfSite } from '../../../../shared/metrics-page/metrics-of-site.tsx';
import { LiveTab } from '../overview/live-tab.tsx';
import { useSite } from '../site-context.tsx';

export function Page() {
  const { site } = useSite();
  return (
    <LiveTab>
      <MetricsOfSite historyPath={`/sites/${site.id}/history`} />
    </LiveTab>
  );
}
