import { LiveBanner, LiveBannerIn } from '../../shared/live/live-banner.tsx';
import { PretendSite } from '../pretend-site.tsx';
import { staleValues, totalDefinitions, totalValues } from '../samples.ts';
import { Specimen, Specimens } from '../specimen.tsx';

const LOST_AT = Date.UTC(2026, 5, 21, 10, 31);

export function BannerSection() {
  return (
    <Specimens>
      {(['live', 'connecting', 'reconnecting', 'refused'] as const).map((state) => (
        <Specimen key={state} state={state}>
          <PretendSite
            state={state}
            definitions={state === 'connecting' ? [] : totalDefinitions}
            values={totalValues}
          >
            <LiveBanner />
          </PretendSite>
        </Specimen>
      ))}
      <Specimen state="live: nothing is read any more">
        <PretendSite definitions={totalDefinitions} values={staleValues}>
          <LiveBanner />
        </PretendSite>
      </Specimen>
      <Specimen state="away">
        <LiveBannerIn state="away" valuesUntil={LOST_AT} />
      </Specimen>
      <Specimen state="away from the beginning">
        <LiveBannerIn state="away" valuesUntil={undefined} />
      </Specimen>
      <Specimen state="the browser is offline">
        <LiveBannerIn state="browser-offline" valuesUntil={LOST_AT} />
      </Specimen>
    </Specimens>
  );
}
