import { ConnectionError } from '@heliograph/client';
import { useState } from 'react';
import { Card } from '../shared/components/card/card.tsx';
import { Curve } from '../shared/components/curve/curve.tsx';
import { CurvesView, HistoryCurve } from '../shared/energy/history-curve.tsx';
import { RangeChooser } from '../shared/energy/range-chooser.tsx';
import type { HistoryRange } from '../shared/energy/ranges.ts';
import type { Curves } from '../shared/energy/use-curves.ts';
import { DemoSite } from './demo-site.tsx';
import { SAMPLE_DAY_S, sampleDay } from './samples.ts';
import { Specimen, Specimens } from './specimen.tsx';

const SPAN = { from: SAMPLE_DAY_S, to: SAMPLE_DAY_S + 86_400, stepS: 300 };

const DAY = sampleDay();
const WITHOUT_VALUES = DAY.map((curve) => ({ ...curve, times: [], values: [] }));

const EMPTY: Curves = {
  series: [],
  span: SPAN,
  timeZone: 'UTC',
  isLoading: false,
  error: undefined,
  retry: () => undefined,
};

const NO_ANSWER = new ConnectionError('http://device', 'no answer', undefined);

export function CurveSection() {
  const [range, setRange] = useState<HistoryRange>('today');
  const voltages = DAY.slice(0, 3).map((one, index) => ({
    ...one,
    name: `Voltage of a phase with a long name, number ${index + 1}`,
    unit: 'V',
    tone: 'grid' as const,
    values: one.values.map((value) => (value === null ? null : 229 + index + value / 2_000)),
  }));
  const one = DAY.slice(0, 1).map((curve) => ({ ...curve, times: [SAMPLE_DAY_S + 43_200], values: [4_200] }));
  return (
    <Specimens isWide>
      <Specimen state="a day of power and charge, with a gap">
        <Card title="Power and charge" action={<RangeChooser value={range} onChange={setRange} />}>
          <CurvesView {...EMPTY} series={DAY} height={300} />
        </Card>
      </Specimen>
      <Specimen state="several of one colour">
        <Card title="Voltages">
          <Curve
            series={voltages}
            from={SPAN.from}
            to={SPAN.to}
            label="Voltages"
            timeZone="UTC"
            height={220}
          />
        </Card>
      </Specimen>
      <Specimen state="a single point">
        <Card title="Solar">
          <Curve series={one} from={SPAN.from} to={SPAN.to} label="Solar" timeZone="UTC" height={160} />
        </Card>
      </Specimen>
      <Specimen state="on its way">
        <CurvesView {...EMPTY} series={WITHOUT_VALUES} isLoading height={160} />
      </Specimen>
      <Specimen state="nothing recorded">
        <CurvesView {...EMPTY} height={160} />
      </Specimen>
      <Specimen state="failed">
        <CurvesView {...EMPTY} error={NO_ANSWER} height={160} />
      </Specimen>
      <Specimen state="failed in part">
        <CurvesView {...EMPTY} series={DAY.slice(0, 1)} error={NO_ANSWER} height={160} />
      </Specimen>
      <Specimen state="no history">
        <DemoSite>
          <HistoryCurve topics={TOPICS} range="today" />
        </DemoSite>
      </Specimen>
    </Specimens>
  );
}

const TOPICS = ['total/pv_power'];
