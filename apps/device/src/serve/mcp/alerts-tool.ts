import { listAlerts, type Tool } from '@heliograph/mcp';
import type { Caller } from '../../access/caller.ts';
import { presentAlert } from '../../alerts/present-alert.ts';
import { localIso } from '../../common/local-time.ts';
import type { SiteSources } from './site-sources.ts';

const USUAL_COUNT = 20;

/** The alerts of this site. */
export function alertsTool({
  alerts,
  calendar: { timeZone: zone },
}: Pick<SiteSources, 'alerts' | 'calendar'>): Tool<
  Caller,
  typeof listAlerts.input,
  typeof listAlerts.output
> {
  return {
    ...listAlerts,
    isFor: () => true,
    run: async ({ open = false, limit = USUAL_COUNT }) => ({
      alerts: alerts.recent(limit, { open }).map((alert) => {
        const {
          id,
          rule,
          state,
          severity,
          text,
          topic,
          value,
          limit: most,
          unit,
          times,
        } = presentAlert(alert);
        return {
          id,
          rule,
          state,
          severity,
          text,
          topic,
          value,
          limit: most,
          unit,
          since: localIso(alert.since, zone),
          cleared_at: alert.clearedAt === null ? null : localIso(alert.clearedAt, zone),
          times,
        };
      }),
    }),
  };
}
