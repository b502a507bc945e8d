import type { Incident } from './incident.ts';
import type { Failure, Journal } from './journal.ts';

/** How soon after a kill the tunnel has to be there again, in milliseconds. */
export const BACK_MS = 5_000;

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

/** @returns the tunnels that took too long, and the failed reads while only the cloud was away, a sentence each */
export function incidentFaults(incidents: readonly Incident[], journal: Journal): string[] {
  return incidents.flatMap((incident) => {
    const { victim, killedAt, listeningAt, backAt } = incident;
    if (victim === 'cloud' || victim === 'database') {
      const failed = failuresOf(incident, incidents, journal).filter(({ purpose }) => purpose === 'read');
      return failed.length === 0 ? [] : [`${failed.length} reads failed because the ${victim} was away`];
    }
    const lateMs = backAt - (victim === 'proxy machine' ? killedAt : listeningAt);
    return lateMs <= BACK_MS ? [] : [`the site was back ${lateMs} ms after the ${victim} was killed or back`];
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

function isOfTheDead({ host, startedAt, endedAt }: Failure, incidents: readonly Incident[]): boolean {
  return incidents.some(
    (incident) => incident.host === host && endedAt >= incident.killedAt && startedAt <= incident.listeningAt,
  );
}
