import { LiveBanner, LiveBannerView } from '../../shared/live/live-banner.tsx';
import { DemoSite } from '../demo-site.tsx';
import { staleValues, totalDefinitions, totalValues } from '../samples.ts';
import { Specimen, Specimens } from '../specimen.tsx';

const LOST_AT = Date.UTC(2026, 5, 21, 10, 31);

export function BannerSection() {
  return (
    <Specimens>
      {(['live', 'connecting', 'reconnecting', 'refused'] as const).map((state) => (
        <Specimen key={state} state={state}>
          <DemoSite
            state={state}
            definitions={state === 'connecting' ? [] : totalDefinitions}
            values={totalValues}
          >
            <LiveBanner />
          </DemoSite>
        </Specimen>
      ))}
      <Specimen state="live: nothing is read any more">
        <DemoSite definitions={totalDefinitions} values={staleValues}>
          <LiveBanner />
        </DemoSite>
      </Specimen>
      <Specimen state="away">
        <LiveBannerView state="away" valuesUntil={LOST_AT} />
      </Specimen>
      <Specimen state="away from the beginning">
        <LiveBannerView state="away" valuesUntil={undefined} />
      </Specimen>
      <Specimen state="the browser is offline">
        <LiveBannerView state="browser-offline" valuesUntil={LOST_AT} />
      </Specimen>
    </Specimens>
  );
}
