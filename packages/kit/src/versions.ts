/** Releases for everyone, and those that some try before. */
export const RELEASE_CHANNELS = ['stable', 'beta'] as const;
export type ReleaseChannel = (typeof RELEASE_CHANNELS)[number];

/** Of Semantic Versioning, without build metadata: `0.2.0`, `1.0.0-beta.2`. */
const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

export function isVersion(text: string): boolean {
  return text.length <= 64 && VERSION.test(text);
}

/**
 * The order of releases (https://semver.org, 11).
 *
 * @returns negative where a is older than b, 0 where they are the same
 * @throws where one is no version
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const index of [0, 1, 2]) {
    const difference = Number(left.numbers[index]) - Number(right.numbers[index]);
    if (difference !== 0) return difference;
  }
  // A version without a label comes after its pre-releases.
  if (left.labels.length === 0 || right.labels.length === 0) return right.labels.length - left.labels.length;
  for (let index = 0; index < Math.max(left.labels.length, right.labels.length); index++) {
    const difference = compareLabels(left.labels[index], right.labels[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function partsOf(version: string): { numbers: readonly string[]; labels: readonly string[] } {
  const [, major = '', minor = '', patch = '', labels] = VERSION.exec(version) ?? [];
  if (major === '') throw new Error(`"${version}" is no version such as 1.2.3`);
  return { numbers: [major, minor, patch], labels: labels?.split('.') ?? [] };
}

function compareLabels(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const areNumbers = [a, b].map((label) => /^\d+$/.test(label));
  if (areNumbers[0] && areNumbers[1]) return Number(a) - Number(b);
  if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
