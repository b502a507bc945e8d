import { readersTimeZone } from '../../shared/format/time-zone.ts';

/** The time zones to choose from, by their IANA names. @param chosen stays in the list though the browser knows it not */
export function timeZones(chosen: string | null): readonly string[] {
  const known = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);
  if (chosen !== null) known.add(chosen);
  return [...known].toSorted();
}

/** The local time in a zone; null where the browser does not know the zone. @param locale BCP 47 */
export function timeIn(zone: string, at: Date, locale: string): string | null {
  try {
    return new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: zone,
    }).format(at);
  } catch {
    return null;
  }
}

/**
 * The zone to propose for a device without one of its own: that of the browser, which is probably in the same home.
 *
 * @returns null where it is that of the machine, or unknown to the browser
 */
export function proposedZone(machineZone: string): string | null {
  const timeZone = readersTimeZone();
  if (timeZone === undefined || timeZone === machineZone) return null;
  return timeZones(null).includes(timeZone) ? timeZone : null;
}
