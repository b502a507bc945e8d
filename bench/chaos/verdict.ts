import type { Incident } from './incident.ts';
import type { Failure, Journal } from './journal.ts';

/** How soon after a kill the tunnel has to be there again, and reads by name succeed, in milliseconds. */
export const BACK_MS = 5_000;

/** How soon after the loss of the primary the cloud has to answer, in milliseconds. */
export const PRIMARY_REPLACED_MS = 30_000;

/** Failures that a client cannot be spared while the process that it asks is dead. */
const CONNECTION = ['refused', 'broken'];

/** @returns requests that failed as none may, a sentence each */
export function failureFaults(incidents: readonly Incident[], { failures }: Journal): string[] {
  const wrong = failures.filter((failure) => {
    if (failure.what === 'silent' || failure.what === 'unexpected') return true;
    return CONNECTION.includes(failure.what) && !isOfTheDead(failure, incidents);
  });
  return wrong.map(
    ({ purpose, host, what, detail, startedAt }) =>
      `a ${purpose} at ${host} of ${new Date(startedAt).toISOString()} ended with ${what}: ${detail}`,
  );
}

/**
 * @returns the tunnels and the reads by name that took too long, and the failed reads while only the cloud was away, a sentence
 * each
 */
export function incidentFaults(incidents: readonly Incident[], journal: Journal): string[] {
  return incidents.flatMap((incident) => {
    const { victim, killedAt, listeningAt, backAt } = incident;
    if (victim === 'cloud' || victim === 'database' || victim === 'primary') {
      const failed = failuresOf(incident, incidents, journal).filter(({ purpose }) => purpose === 'read');
      const isLate = victim === 'primary' && backAt - killedAt > PRIMARY_REPLACED_MS;
      return [
        ...(failed.length === 0 ? [] : [`${failed.length} reads failed because the ${victim} was away`]),
        ...(isLate ? [`the cloud answered ${backAt - killedAt} ms after the primary was killed`] : []),
      ];
    }
    const sinceMs = victim === 'proxy machine' ? killedAt : listeningAt;
    const lateMs = backAt - sinceMs;
    const lateReads = failuresOf(incident, incidents, journal).filter(
      ({ purpose, endedAt }) => purpose === 'read by name' && endedAt > sinceMs + BACK_MS,
    );
    return [
      ...(lateMs <= BACK_MS ? [] : [`the site was back ${lateMs} ms after the ${victim} was killed or back`]),
      ...(lateReads.length === 0
        ? []
        : [`${lateReads.length} reads by name failed late after the ${victim} was killed`]),
    ];
  });
}

/** The failures of requests that ended between a kill and the next one. */
export function failuresOf(
  incident: Incident,
  incidents: readonly Incident[],
  { failures }: Journal,
): readonly Failure[] {
  const next = incidents[incidents.indexOf(incident) + 1]?.killedAt ?? Number.POSITIVE_INFINITY;
  return failures.filter(({ endedAt }) => endedAt >= incident.killedAt && endedAt < next);
}

function isOfTheDead(failure: Failure, incidents: readonly Incident[]): boolean {
  const { purpose, host, startedAt, endedAt } = failure;
  return incidents.some((incident) => {
    const isAtProxy = purpose === 'read by name' && incident.victim.startsWith('proxy');
    const isThere = isAtProxy || incident.host === host;
    return isThere && endedAt >= incident.killedAt && startedAt <= incident.listeningAt;
  });
}
