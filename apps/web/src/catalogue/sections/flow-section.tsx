import type { ComponentProps } from 'react';
import { EnergyFlow } from '../../shared/components/flow/energy-flow.tsx';
import { LiveEnergyFlow } from '../../shared/components/flow/live-energy-flow.tsx';
import { DemoSite } from '../demo-site.tsx';
import { staleValues, totalDefinitions } from '../samples.ts';
import { Specimen, Specimens } from '../specimen.tsx';

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
