import { MetricTable } from '../../shared/metrics/metric-table.tsx';
import { DemoSite } from '../demo-site.tsx';
import { settingDefinitions, settingValues, staleValues, totalDefinitions, totalValues } from '../samples.ts';
import { Specimen, Specimens } from '../specimen.tsx';

const definitions = [...totalDefinitions, ...settingDefinitions];

export function MetricsSection() {
  return (
    <Specimens isWide>
      <Specimen state="live">
        <DemoSite definitions={definitions} values={[...totalValues, ...settingValues]}>
          <MetricTable />
        </DemoSite>
      </Specimen>
      <Specimen state="nothing is read any more">
        <DemoSite definitions={totalDefinitions} values={staleValues}>
          <MetricTable />
        </DemoSite>
      </Specimen>
      <Specimen state="on its way">
        <DemoSite state="connecting">
          <MetricTable />
        </DemoSite>
      </Specimen>
      <Specimen state="no metrics">
        <DemoSite>
          <MetricTable />
        </DemoSite>
      </Specimen>
    </Specimens>
  );
}
