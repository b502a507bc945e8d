import i18next from 'i18next';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { LiveEnergyFlow } from '../../shared/components/flow/live-energy-flow.tsx';
import { ErrorBoundary } from '../../shared/components/states/error-boundary.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { LiveBanner } from '../../shared/live/live-banner.tsx';
import { deferredPart } from '../../shared/routing/lazy-part.ts';
import { UnitsPlaceholder } from '../../shared/units/units-placeholder.tsx';
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
      <section className={classes.flow} aria-label={t('overview.flow')}>
        <LiveEnergyFlow />
      </section>
      <ErrorBoundary>
        <Suspense fallback={<UnitsPlaceholder />}>
          <UnitCards metricsPath="/values" />
        </Suspense>
      </ErrorBoundary>
      <ErrorBoundary>
        <Suspense fallback={<Loading />}>
          <EnergyHistory />
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

/** It requests more than values from the device. */
const OpenSteps = deferredPart(async () => (await import('../setup/open-steps.tsx')).OpenSteps);

/** It is further down. */
const EnergyHistory = deferredPart(async () => (await import('./energy-history.tsx')).EnergyHistory);

/** Names of metrics are many texts, which the first view does not wait for. */
const UnitCards = deferredPart(async () => {
  const names = i18next.loadNamespaces(['metrics', 'metricNames']);
  const [{ UnitCards: Part }] = await Promise.all([import('../../shared/units/unit-cards.tsx'), names]);
  return Part;
});
