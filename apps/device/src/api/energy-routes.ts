import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import { dateOf } from '../common/calendar-days.ts';
import { startOfDay } from '../common/local-time.ts';
import type { EnergyHistory } from '../energy/energy-history.ts';
import { parseTime } from './history-times.ts';

/** The energy of hours, days, weeks, months and years. */
export function energyRoutes(api: Api, energy: Pick<EnergyHistory, 'read'>, zone: string): void {
  const parsed = (text: string | undefined, name: string): number | undefined => {
    const day = text === undefined ? undefined : dateOf(text);
    return day === undefined ? parseTime(text, name) : startOfDay(day, zone);
  };
  api.serve(deviceOperations.getEnergy, ({ query: { from, to, step } }) =>
    energy.read({ fromMs: parsed(from, 'from'), toMs: parsed(to, 'to'), step }),
  );
}
