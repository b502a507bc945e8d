import { deviceOperations } from '@heliograph/contracts/operations/device';
import { parseLocalTime } from '@heliograph/contracts/times';
import type { Api } from '@heliograph/http/api';
import type { EnergyHistory } from '../../../energy/energy-history.ts';

/** The energy of hours, days, weeks, months and years. */
export function energyRoutes(api: Api, energy: Pick<EnergyHistory, 'readCompared'>, zone: string): void {
  api.serve(deviceOperations.getEnergy, ({ query: { from, to, step } }) =>
    energy.readCompared({
      fromMs: parseLocalTime(from, 'from', zone),
      toMs: parseLocalTime(to, 'to', zone),
      step,
    }),
  );
}
