import { MetricTable } from '../../shared/metrics/metric-table.tsx';
import { LiveTab } from './live-tab.tsx';

export function Page() {
  return (
    <LiveTab>
      <MetricTable />
    </LiveTab>
  );
}
