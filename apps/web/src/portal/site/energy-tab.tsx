import { EnergyOfSite } from '../../shared/energy-page/energy-page.tsx';
import { LiveTab } from './live-tab.tsx';

/** The energy of the site by day, week, month and year. */
export function Page() {
  return (
    <LiveTab>
      <EnergyOfSite />
    </LiveTab>
  );
}
