/** Keys of the names of severities. */
export const ALERT_LABELS = {
  critical: 'openAlerts.critical',
  warning: 'openAlerts.warning',
  information: 'openAlerts.information',
} as const;
