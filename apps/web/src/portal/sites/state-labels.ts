import type { SiteState } from '@heliograph/client';

/** Keys of the names of states. */
export const STATE_LABELS = {
  hardware_silent: 'fleet.hardware_silent',
  offline: 'list.offline',
  never_seen: 'fleet.never_seen',
  online: 'list.online',
} as const satisfies Record<SiteState, string>;

/** Keys of the names of severities. */
export const ALERT_LABELS = {
  critical: 'openAlerts.critical',
  warning: 'openAlerts.warning',
  information: 'openAlerts.information',
} as const;
