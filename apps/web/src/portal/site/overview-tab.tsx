import { Suspense } from 'react';
import { LiveEnergyFlow } from '../../shared/components/flow/live-energy-flow.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { EnergyOfPeriod } from '../../shared/energy/energy-of-period.tsx';
import { TodayCurves } from '../../shared/energy/today-curves.tsx';
import { deferredPart } from '../../shared/routing/lazy-part.ts';
import { HistoryQuestion } from './history-consent-card.tsx';
import { LastValues } from './last-values.tsx';
import classes from './live-tab.module.css';
import { LiveTab } from './live-tab.tsx';
import { useSite } from './site-context.tsx';

/** How the site does: now, today, in its energy period. */
export function Page() {
  const { site } = useSite();
  return (
    <LiveTab whenOffline={<LastValues />}>
      <div className={classes.picture}>
        <div className={classes.surface}>
          <LiveEnergyFlow />
        </div>
        <EnergyOfPeriod />
      </div>
      <Suspense fallback={<Loading />}>
        <UnitCards metricsPath={`/sites/${site.id}/metrics`} />
      </Suspense>
      <TodayCurves />
      <HistoryQuestion />
    </LiveTab>
  );
}

/** Names of metrics are many texts, which the first view does not wait for. */
const UnitCards = deferredPart(async () => (await import('../../shared/units/unit-cards.tsx')).UnitCards);
