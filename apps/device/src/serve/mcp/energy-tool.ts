import { getEnergy, readEnergy, type Tool } from '@heliograph/mcp';
import type { Caller } from '../../access/caller.ts';
import type { SiteSources } from './site-sources.ts';

/** The energy of a time, and of its hours, days, weeks, months or years. */
export function energyTool({
  energy,
  clock,
  calendar: { timeZone: zone },
}: Pick<SiteSources, 'energy' | 'clock' | 'calendar'>): Tool<
  Caller,
  typeof getEnergy.input,
  typeof getEnergy.output
> {
  return {
    ...getEnergy,
    isFor: () => true,
    run: (input) =>
      readEnergy({ zone, nowMs: clock.now(), read: (request) => energy.readCompared(request) }, input),
  };
}
