import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { LiveEnergyFlow } from '../../shared/components/flow/live-energy-flow.tsx';
import { ErrorBoundary } from '../../shared/components/states/error-boundary.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { LiveBanner } from '../../shared/live/live-banner.tsx';
import { LiveTile } from '../../shared/metrics/value-tile.tsx';
import { deferredPart } from '../../shared/routing/lazy-part.ts';
import { useDeviceSession } from '../session/session.ts';
import classes from './overview-page.module.css';

/** The current power of sun, house, battery and grid. */
export function Page() {
  const { t } = useTranslation('device');
  const { may_configure: mayConfigure } = useDeviceSession();
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageTitle text={t('overview.title')} />
        <LiveBanner />
      </div>
      {mayConfigure && (
        <Suspense fallback={null}>
          <OpenSteps />
        </Suspense>
      )}
      <div className={classes.now}>
        <section className={classes.flow} aria-label={t('overview.flow')}>
          <LiveEnergyFlow />
        </section>
        <Tiles />
      </div>
      <ErrorBoundary>
        <Suspense fallback={<Loading />}>
          <EnergyHistory />
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

/** The figures that people look for first. */
function Tiles() {
  const { t } = useTranslation('site');
  return (
    <div className={classes.tiles}>
      <LiveTile topic="total/battery_state_of_charge" label={t('energy.stateOfCharge')} />
      <LiveTile topic="total/pv_power" label={t('energy.solar')} />
      <LiveTile topic="total/load_power" label={t('energy.load')} />
      <LiveTile topic="total/grid_power" label={t('energy.grid')} />
      <LiveTile topic="total/battery_power" label={t('energy.battery')} />
    </div>
  );
}

/** It requests more than values from the device. */
const OpenSteps = deferredPart(async () => (await import('../setup/open-steps.tsx')).OpenSteps);

/** It is further down. */
const EnergyHistory = deferredPart(async () => (await import('./energy-history.tsx')).EnergyHistory);
