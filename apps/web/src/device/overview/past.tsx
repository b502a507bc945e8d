import { Failures } from '../../shared/components/states/failures.tsx';
import { EnergyOfPeriod } from '../../shared/energy/energy-of-period.tsx';
import { TodayCurves } from '../../shared/energy/today-curves.tsx';

/** What they did today, and since the day, week or month began. */
export function Past() {
  return (
    <>
      <Failures>
        <TodayCurves />
      </Failures>
      <Failures>
        <EnergyOfPeriod />
      </Failures>
    </>
  );
}
