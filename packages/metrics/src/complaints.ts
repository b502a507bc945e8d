/** Names of text quantities by which hardware reports faults, and by which it reports what is less than a fault. */
const FAULTS: ReadonlySet<string> = new Set(['Error', 'Fault', 'Faults']);
const WARNINGS: ReadonlySet<string> = new Set(['Alarm', 'Alarms', 'Alarm reason', 'Warning', 'Warnings']);

/** Values of those quantities that mean no problem. */
const QUIET: ReadonlySet<string> = new Set(['none', 'no error', 'normal', 'off', 'ok', '']);

/** Device modes that mean a fault. */
const FAULTY_MODES: ReadonlySet<string> = new Set(['alarm', 'fault']);
const MODE = 'Device mode';

export type ComplaintKind = 'fault' | 'warning';

/** Whether hardware reports problems by a quantity of this name, and how grave they are. */
export function complaintKindOf(name: string): ComplaintKind | undefined {
  if (FAULTS.has(name) || name === MODE) return 'fault';
  return WARNINGS.has(name) ? 'warning' : undefined;
}

/**
 * The problems that a text of such a quantity names, none where it means that all is well.
 *
 * @example complaintsIn('Fault', 'Over temperature, Fan locked') // ['Over temperature', 'Fan locked']
 */
export function complaintsIn(name: string, text: string): readonly string[] {
  if (name === MODE) return FAULTY_MODES.has(text.trim().toLowerCase()) ? [text.trim()] : [];
  const parts = text.split(',').map((part) => part.trim());
  return [...new Set(parts.filter((part) => !QUIET.has(part.toLowerCase())))];
}
