import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../components/card/card.tsx';
import { useDefinitions } from '../live/live-context.tsx';
import { HistoryCurve } from './history-curve.tsx';
import { RangeChooser } from './range-chooser.tsx';
import type { HistoryRange } from './ranges.ts';

const TOPICS = [
  'total/pv_power',
  'total/load_power',
  'total/grid_power',
  'total/battery_power',
  'total/battery_state_of_charge',
];

/** Power and charge of the site over today, or another time that the reader chooses. */
export function TodayCurves() {
  const { t } = useTranslation('site');
  const [range, setRange] = useState<HistoryRange>('today');
  const definitions = useDefinitions();
  const there = TOPICS.filter((topic) => definitions.some((one) => one.topic === topic));
  return (
    <Card title={t('energy.curves.title')} action={<RangeChooser value={range} onChange={setRange} />}>
      <HistoryCurve topics={there.length === 0 ? TOPICS : there} range={range} />
    </Card>
  );
}
