import { Button } from '@mantine/core';
import { useState } from 'react';
import { MetricTable } from '../../shared/metrics/metric-table.tsx';
import { DemoSite } from '../demo-site.tsx';
import { manyDefinitions, manyValues } from '../samples.ts';

/** What a browser has to do with a large site is measured here. */
export function BusySection() {
  const [isRunning, setRunning] = useState(false);
  if (!isRunning) return <Button onClick={() => setRunning(true)}>Start</Button>;
  return (
    <DemoSite definitions={manyDefinitions} values={manyValues()} next={manyValues}>
      <MetricTable />
    </DemoSite>
  );
}
