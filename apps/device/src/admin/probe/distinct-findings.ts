import type { Finding } from './probe-bus.ts';

/**
 * The findings without hardware that is found a second time, by another bus, unit or driver: each serial number is listed
 * once, where it was found first. Hardware that reports none is always listed.
 */
export function distinctFindings<F extends Pick<Finding, 'serialNumbers'>>(
  findings: readonly F[],
): readonly F[] {
  const seen = new Set<string>();
  return findings.filter(({ serialNumbers }) => {
    const known = serialNumbers.filter((serial) => serial !== null);
    const isRepeated = known.length > 0 && known.every((serial) => seen.has(serial));
    for (const serial of known) seen.add(serial);
    return !isRepeated;
  });
}
