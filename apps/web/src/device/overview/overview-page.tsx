import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { LiveEnergyFlow } from '../../shared/components/flow/live-energy-flow.tsx';
import { Failures } from '../../shared/components/states/failures.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { LiveBanner } from '../../shared/live/live-banner.tsx';
import { laterPart } from '../../shared/routing/lazy-part.ts';
import { useDeviceSession } from '../session/session.ts';
import classes from './overview-page.module.css';
import { Tiles } from './tiles.tsx';

/** What asks the device for more than its values. */
const OpenSteps = laterPart(async () => (await import('../setup/open-steps.tsx')).OpenSteps);

/** It is further down. */
const Past = laterPart(async () => (await import('./past.tsx')).Past);

/** What sun, house, battery and grid are doing. */
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
      <Failures>
        <Suspense fallback={<Loading />}>
          <Past />
        </Suspense>
      </Failures>
    </div>
  );
}
