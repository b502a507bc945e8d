import type { ComponentProps } from 'react';
import { EnergyFlow } from '../shared/components/flow/energy-flow.tsx';
import { LiveEnergyFlow } from '../shared/components/flow/live-energy-flow.tsx';
import { EnergyBalance } from '../shared/energy/energy-balance.tsx';
import { EnergyOfPeriod } from '../shared/energy/energy-of-period.tsx';
import { LiveBanner, LiveBannerView } from '../shared/live/live-banner.tsx';
import { DemoSite } from './demo-site.tsx';
import { staleValues, totalDefinitions, totalValues } from './samples.ts';
import { Specimen, Specimens } from './specimen.tsx';

type Flow = ComponentProps<typeof EnergyFlow>;

const SUNNY: Flow = {
  solar: 3_420,
  load: 1_180,
  grid: -640,
  battery: 1_600,
  stateOfCharge: 64,
  isStale: false,
  status: 'live',
};

const STATES: Readonly<Record<string, Partial<Flow>>> = {
  'by day: charges, and gives to the grid': {},
  'in the evening: the battery feeds the house': {
    solar: 0,
    load: 820,
    grid: 4,
    battery: -816,
    stateOfCharge: 38,
  },
  'at night: all from the grid': { solar: 0, load: 410, grid: 410, battery: 0, stateOfCharge: 5 },
  'no battery': { battery: undefined, stateOfCharge: undefined, grid: -2_240 },
  'no grid': { grid: undefined, battery: 2_240 },
  'no solar: a battery alone': { solar: undefined, grid: 2_780 },
  'charge unknown': { stateOfCharge: null },
  'powers unknown': { solar: null, load: null },
  'everything unknown, and old': {
    solar: null,
    load: null,
    grid: null,
    battery: null,
    stateOfCharge: null,
    isStale: true,
  },
  'connection lost': { status: 'reconnecting' },
  'huge numbers': { solar: 12_345_678, load: 998_765, grid: -11_346_913, battery: 0, stateOfCharge: 100 },
};

export function FlowSection() {
  return (
    <Specimens>
      {Object.entries(STATES).map(([state, flow]) => (
        <Specimen key={state} state={state}>
          <EnergyFlow {...SUNNY} {...flow} />
        </Specimen>
      ))}
      <Specimen state="on its way">
        <DemoSite state="connecting">
          <LiveEnergyFlow />
        </DemoSite>
      </Specimen>
      <Specimen state="live: nothing is read any more">
        <DemoSite definitions={totalDefinitions} values={staleValues}>
          <LiveEnergyFlow />
        </DemoSite>
      </Specimen>
      <Specimen state="live: none of this is measured">
        <DemoSite>
          <LiveEnergyFlow />
        </DemoSite>
      </Specimen>
    </Specimens>
  );
}

type Balance = ComponentProps<typeof EnergyBalance>;

const DAY: Balance = {
  title: 'Energy today',
  solar: 14.82,
  load: 8.1,
  gridIn: 0.94,
  gridOut: 3.2,
  batteryIn: 6.35,
  batteryOut: 1.9,
};

const NONE = { solar: null, load: null, gridIn: null, gridOut: null, batteryIn: null, batteryOut: null };

const BANNER_STATES: Readonly<Record<string, Partial<Balance>>> = {
  'a good day': {},
  'no battery': { batteryIn: undefined, batteryOut: undefined },
  'the grid charged the battery: self-sufficiency cannot be told': { gridIn: 12 },
  'the load unknown': { load: null },
  'just after midnight': { solar: 0, load: 0, gridIn: 0, gridOut: 0, batteryIn: 0, batteryOut: 0 },
  'nothing counted yet': NONE,
  'huge, with a long title': {
    title: 'Energy of a period that has a very long name',
    solar: 123_456,
    load: 98_765.4,
  },
};

export function EnergySection() {
  return (
    <Specimens>
      {Object.entries(BANNER_STATES).map(([state, balance]) => (
        <Specimen key={state} state={state}>
          <EnergyBalance {...DAY} {...balance} />
        </Specimen>
      ))}
      <Specimen state="live">
        <DemoSite definitions={totalDefinitions} values={totalValues}>
          <EnergyOfPeriod />
        </DemoSite>
      </Specimen>
    </Specimens>
  );
}

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
