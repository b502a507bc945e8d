import { ErrorBoundary } from '../../shared/components/states/error-boundary.tsx';
import { EnergyOfPeriod } from '../../shared/energy/energy-of-period.tsx';
import { TodayCurves } from '../../shared/energy/today-curves.tsx';

/** The curves of today, and the energy since the day, week or month began. */
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
