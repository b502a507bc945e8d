import type { RecoveryEventKind } from '@heliograph/contracts';
import { RECOVERY_ACCESS, type RecoveryAccess } from '@heliograph/wire';

/** An operation that a support recovery session allows beyond what every caller reads. */
interface RecoveryOperation {
  /** The least access that allows it. */
  readonly access: RecoveryAccess;
  /** The event that the owner reads about it; null for one that goes with another. */
  readonly event: RecoveryEventKind | null;
}

/**
 * Operations that support recovery sessions allow, by their ids. All others that require more than reading are refused,
 * whatever the access.
 */
export const RECOVERY_OPERATIONS: Readonly<Record<string, RecoveryOperation>> = {
  getConfiguration: { access: 'diagnose', event: 'configuration_read' },
  getDiagnostics: { access: 'diagnose', event: 'diagnostics_read' },
  getLinks: { access: 'diagnose', event: 'links_read' },
  listSettingWrites: { access: 'diagnose', event: 'settings_log_read' },
  changeConfiguration: { access: 'repair', event: 'configuration_changed' },
  startProbe: { access: 'repair', event: 'probe_started' },
  getProbe: { access: 'repair', event: null },
  cancelProbe: { access: 'repair', event: null },
  restartDevice: { access: 'repair', event: 'device_restarted' },
  removePassword: { access: 'settings', event: 'password_removed' },
  setMetric: { access: 'settings', event: 'setting_written' },
};

export function isWithin(access: RecoveryAccess, granted: RecoveryAccess): boolean {
  return RECOVERY_ACCESS.indexOf(access) <= RECOVERY_ACCESS.indexOf(granted);
}

export function recoveryAllows(granted: RecoveryAccess, operationId: string): boolean {
  const operation = Object.hasOwn(RECOVERY_OPERATIONS, operationId)
    ? RECOVERY_OPERATIONS[operationId]
    : undefined;
  return operation !== undefined && isWithin(operation.access, granted);
}
