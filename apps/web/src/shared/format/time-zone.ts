/**
 * The time zone of the reader, by its IANA name; undefined where the browser names none that it knows itself, such as
 * `Etc/Unknown` of a Chrome on a system without one.
 */
export function readersTimeZone(): string | undefined {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return isKnownTimeZone(timeZone) ? timeZone : undefined;
}

/**
 * The time zone in which times of a site are shown: its own, unless that is younger than the browser; then that of the reader,
 * who is probably there.
 *
 * @param siteZone IANA name; undefined while it is unknown
 */
export function shownTimeZone(siteZone?: string): string {
  return siteZone !== undefined && isKnownTimeZone(siteZone) ? siteZone : (readersTimeZone() ?? 'UTC');
}

function isKnownTimeZone(name: string | undefined): boolean {
  if (name === undefined) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
