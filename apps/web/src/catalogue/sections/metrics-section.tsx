import { MetricTable } from '../../shared/metrics/metric-table.tsx';
import { PretendSite } from '../pretend-site.tsx';
import { settingDefinitions, settingValues, staleValues, totalDefinitions, totalValues } from '../samples.ts';
import { Specimen, Specimens } from '../specimen.tsx';

const definitions = [...totalDefinitions, ...settingDefinitions];

export function MetricsSection() {
  return (
    <Specimens isWide>
      <Specimen state="live">
        <PretendSite definitions={definitions} values={[...totalValues, ...settingValues]}>
          <MetricTable />
        </PretendSite>
      </Specimen>
      <Specimen state="nothing is read any more">
        <PretendSite definitions={totalDefinitions} values={staleValues}>
          <MetricTable />
        </PretendSite>
      </Specimen>
      <Specimen state="on its way">
        <PretendSite state="connecting">
          <MetricTable />
        </PretendSite>
      </Specimen>
      <Specimen state="no metrics">
        <PretendSite>
          <MetricTable />
        </PretendSite>
      </Specimen>
    </Specimens>
  );
}
