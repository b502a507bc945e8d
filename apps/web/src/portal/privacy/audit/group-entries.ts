import type { AuditEntry } from '@heliograph/client';

/** Entries further apart than this are two runs, in milliseconds. */
const MAX_GAP_MS = 30 * 60_000;

/**
 * Divides a list into runs of the same action by the same actor on the same things, each within half an hour of its
 * neighbour. No run is empty.
 *
 * @param entries the newest first
 */
export function groupEntries(entries: readonly AuditEntry[]): readonly (readonly AuditEntry[])[] {
  const groups: AuditEntry[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && isAgain(last, entry)) groups.at(-1)?.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function isAgain(later: AuditEntry, earlier: AuditEntry): boolean {
  return (
    subjectOf(later) === subjectOf(earlier) && Date.parse(later.at) - Date.parse(earlier.at) <= MAX_GAP_MS
  );
}

function subjectOf({
  action,
  actor,
  via,
  user_id,
  site_id,
  organization_id,
  device_uid,
}: AuditEntry): string {
  return JSON.stringify([action, actor?.id, via, user_id, site_id, organization_id, device_uid]);
}
