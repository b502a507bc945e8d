import i18next from 'i18next';
import { Suspense } from 'react';
import { LiveEnergyFlow } from '../../../../shared/components/flow/live-energy-flow.tsx';
import { ErrorBoundary } from '../../../../shared/components/states/error-boundary.tsx';
import { Loading } from '../../../../shared/components/states/loading.tsx';
import { EnergyPlaceholder } from '../../../../shared/energy/energy-placeholder.tsx';
import { useIsRestDue } from '../../../../shared/live/use-is-rest-due.ts';
import { deferredPart, lazyPart } from '../../../../shared/routing/lazy-part.ts';
import { UnitsPlaceholder } from '../../../../shared/units/units-placeholder.tsx';
import { FirstQuestion } from '../../first-question.ts';
import { useSite } from '../site-context.tsx';
import classes from './live-tab.module.css';
import { LiveTab } from './live-tab.tsx';

/** How the site does: now, today, in its energy period. */
export function Page() {
  const { site, role } = useSite();
  const isAdmin = role === 'owner' || role === 'admin';
  const isRestDue = useIsRestDue();
  return (
    <LiveTab
      whenOffline={
        <Suspense fallback={<Loading />}>
          <LastValues />
        </Suspense>
      }
    >
      <div className={classes.picture}>
        <div className={classes.surface}>
          <LiveEnergyFlow />
        </div>
        <ErrorBoundary>
          <Suspense fallback={<EnergyPlaceholder />}>
            {isRestDue ? <EnergyOfPeriod /> : <EnergyPlaceholder />}
          </Suspense>
        </ErrorBoundary>
      </div>
      <ErrorBoundary>
        <Suspense fallback={<UnitsPlaceholder />}>
          {isRestDue ? <UnitCards metricsPath={`/sites/${site.id}/metrics`} /> : <UnitsPlaceholder />}
        </Suspense>
      </ErrorBoundary>
      <ErrorBoundary>
        <Suspense fallback={<Loading />}>
          {isRestDue ? (
            <>
              <TodayCurves />
              <HistoryQuestion />
              <Suspense fallback={null}>{isAdmin && <FirstQuestion />}</Suspense>
            </>
          ) : (
            <Loading />
          )}
        </Suspense>
      </ErrorBoundary>
    </LiveTab>
  );
}

const loadTexts = () => i18next.loadNamespaces('siteDevice');

const LastValues = lazyPart(async () => {
  const [{ LastValues: Part }] = await Promise.all([import('./last-values.tsx'), loadTexts()]);
  return Part;
});

/** Names of metrics are many texts, which the first view does not wait for. */
const UnitCards = deferredPart(async () => {
  const names = i18next.loadNamespaces(['metrics', 'metricNames']);
  const [{ UnitCards: Part }] = await Promise.all([import('../../../../shared/units/unit-cards.tsx'), names]);
  return Part;
});

/** The parts below the first view. */
const rest = () => import('./overview-rest.ts');
const EnergyOfPeriod = deferredPart(async () => (await rest()).EnergyOfPeriod);
const TodayCurves = deferredPart(async () => (await rest()).TodayCurves);
const HistoryQuestion = deferredPart(async () => {
  const [{ HistoryQuestion: Part }] = await Promise.all([rest(), loadTexts()]);
  return Part;
});
