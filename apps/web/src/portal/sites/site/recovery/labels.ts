import type { RecoveryEventKind, RecoverySession } from '@heliograph/contracts';

export const STATE_LABELS = {
  requested: { label: 'states.requested', tone: 'warning' },
  active: { label: 'states.active', tone: 'warning' },
  declined: { label: 'states.declined', tone: 'neutral' },
  expired: { label: 'states.expired', tone: 'neutral' },
  ended: { label: 'states.ended', tone: 'neutral' },
} as const satisfies Record<RecoverySession['state'], object>;

export const EVENT_LABELS = {
  joined: 'kinds.joined',
  configuration_read: 'kinds.configuration_read',
  links_read: 'kinds.links_read',
  settings_log_read: 'kinds.settings_log_read',
  diagnostics_read: 'kinds.diagnostics_read',
  configuration_changed: 'kinds.configuration_changed',
  probe_started: 'kinds.probe_started',
  device_restarted: 'kinds.device_restarted',
  password_removed: 'kinds.password_removed',
  setting_written: 'kinds.setting_written',
} as const satisfies Record<RecoveryEventKind, string>;

/** Whether it has a label: a device that is newer than the pages reports further kinds. */
export function isEventKind(kind: string): kind is RecoveryEventKind {
  return Object.hasOwn(EVENT_LABELS, kind);
}

export const ACCESS_LEVELS = [
  'diagnose',
  'repair',
  'settings',
] as const satisfies readonly RecoverySession['access'][];

/** Choices of a duration, in hours. */
const DURATIONS_H = [1, 4, 8, 24, 48, 72] as const;

/** Options of a field, up to a longest duration in hours. */
export function durationOptions(language: string, longestH = 72): { value: string; label: string }[] {
  const format = new Intl.NumberFormat(language, { style: 'unit', unit: 'hour', unitDisplay: 'long' });
  const hours = new Set([...DURATIONS_H.filter((one) => one < longestH), longestH]);
  return Array.from(hours, (one) => ({ value: String(one), label: format.format(one) }));
}
