import i18next from 'i18next';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { LiveEnergyFlow } from '../../shared/components/flow/live-energy-flow.tsx';
import { ErrorBoundary } from '../../shared/components/states/error-boundary.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { LiveTile } from '../../shared/metrics/value-tile.tsx';
import { deferredPart, lazyPart } from '../../shared/routing/lazy-part.ts';
import classes from './live-tab.module.css';
import { LiveTab } from './live-tab.tsx';

/** How the site does: now, today, in its energy period. */
export function Page() {
  const { t } = useTranslation('sites');
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
        <div className={classes.tiles}>
          <LiveTile topic="total/battery_state_of_charge" label={t('headline.stateOfCharge')} />
          <LiveTile topic="inverter_1/device_mode" label={t('tiles.deviceMode')} tone="neutral" />
          <LiveTile topic="total/battery_voltage" label={t('tiles.batteryVoltage')} />
          <LiveTile topic="battery_1/temperature" label={t('tiles.batteryTemperature')} />
          <LiveTile topic="total/grid_voltage" label={t('tiles.gridVoltage')} />
          <LiveTile topic="inverter_1/temperature" label={t('tiles.inverterTemperature')} tone="neutral" />
        </div>
        <ErrorBoundary>
          <Suspense fallback={null}>
            <EnergyOfPeriod />
          </Suspense>
        </ErrorBoundary>
      </div>
      <ErrorBoundary>
        <Suspense fallback={<Loading />}>
          <TodayCurves />
          <HistoryQuestion />
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

/** The parts below the first view. */
const rest = () => import('./overview-rest.ts');
const EnergyOfPeriod = deferredPart(async () => (await rest()).EnergyOfPeriod);
const TodayCurves = deferredPart(async () => (await rest()).TodayCurves);
const HistoryQuestion = deferredPart(async () => {
  const [{ HistoryQuestion: Part }] = await Promise.all([rest(), loadTexts()]);
  return Part;
});
