import type { ComponentProps } from 'react';
import { EnergyBalance } from '../../shared/energy/energy-balance.tsx';
import { EnergyOfPeriod } from '../../shared/energy/energy-of-period.tsx';
import { DemoSite } from '../demo-site.tsx';
import { totalDefinitions, totalValues } from '../samples.ts';
import { Specimen, Specimens } from '../specimen.tsx';

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

const STATES: Readonly<Record<string, Partial<Balance>>> = {
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
      {Object.entries(STATES).map(([state, balance]) => (
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
