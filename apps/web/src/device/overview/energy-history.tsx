import { ErrorBoundary } from '../../shared/components/states/error-boundary.tsx';
import { EnergyOfPeriod } from '../../shared/energy/energy-of-period.tsx';
import { TodayCurves } from '../../shared/energy/today-curves.tsx';

/** What they did today, and since the day, week or month began. */
export function EnergyHistory() {
  return (
    <>
      <ErrorBoundary>
        <TodayCurves />
      </ErrorBoundary>
      <ErrorBoundary>
        <EnergyOfPeriod />
      </ErrorBoundary>
    </>
  );
}
