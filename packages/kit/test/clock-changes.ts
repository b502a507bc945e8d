const DAY_MS = 24 * 60 * 60 * 1000;

/** A zone, and moments at which its clock changes. */
export interface ZoneChanges {
  readonly zone: string;
  /** The first instants of its next offsets, in milliseconds since the epoch. */
  readonly changes: readonly number[];
}

/** Changes of a zone that are looked for: of three years, in one of which a month ends with a change. */
export const CHANGES_PER_ZONE = 6;
const FROM_MS = Date.UTC(2026, 0, 1);
/** No zone changes its clock twice within it, nor there and back. */
const STRIDE_MS = 28 * DAY_MS;
/** Ten and a half years, in which zones differ that a few years make the same. */
const STRIDES = 137;

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** The offset of a zone's clock as `Intl` writes it, in milliseconds: on purpose not that of `local-time.ts`. */
export function offsetsOf(zone: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  return (atMs) => {
    const [, sign, ...digits] = OFFSET.exec(format.format(atMs)) ?? [];
    const [hours = 0, minutes = 0, seconds = 0] = digits.map((text) => Number(text ?? 0));
    return (sign === '-' ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
  };
}

/** @param samples offsets at each stride since `FROM_MS` */
function changesOf(offsetAt: (atMs: number) => number, samples: readonly number[]): readonly number[] {
  const changes: number[] = [];
  for (const [i, offsetMs] of samples.entries()) {
    if (changes.length === CHANGES_PER_ZONE || (samples[i + 1] ?? offsetMs) === offsetMs) continue;
    let [before, after] = [FROM_MS + i * STRIDE_MS, FROM_MS + (i + 1) * STRIDE_MS];
    while (after - before > 1_000) {
      const middle = Math.floor((before + after) / 2_000) * 1_000;
      if (offsetAt(middle) === offsetMs) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}

let known: readonly ZoneChanges[] | undefined;

/**
 * Zones of this system and their next changes, of which one stands for all with the same; and zones that changed in odd ways in the
 * past.
 */
export function zonesWithChanges(): readonly ZoneChanges[] {
  known ??= findZones();
  return known;
}

function findZones(): readonly ZoneChanges[] {
  const different: ZoneChanges[] = [];
  const bySamples = new Map<string, ZoneChanges[]>();
  for (const zone of ['Australia/Lord_Howe', 'Antarctica/Troll', ...Intl.supportedValuesOf('timeZone')]) {
    const offsetAt = offsetsOf(zone);
    const samples = Array.from({ length: STRIDES }, (_, i) => offsetAt(FROM_MS + i * STRIDE_MS));
    const key = samples.join();
    const sameSamples = bySamples.get(key) ?? [];
    bySamples.set(key, sameSamples);
    const isKnown = sameSamples.some(({ changes }) =>
      changes.every((at) => offsetAt(at - 1_000) !== offsetAt(at)),
    );
    if (isKnown) continue;
    const found = { zone, changes: changesOf(offsetAt, samples) };
    sameSamples.push(found);
    different.push(found);
  }
  return [...different, ...ODD_CHANGES];
}

const ODD_CHANGES: readonly ZoneChanges[] = Object.entries({
  // At one minute past midnight.
  'America/St_Johns': ['2010-11-07T02:31:00Z', '2010-03-14T03:31:00Z'],
  // A day is left out.
  'Pacific/Apia': ['2011-12-30T10:00:00Z'],
  'Pacific/Kwajalein': ['1993-08-21T12:00:00Z'],
  // Midnight is skipped, and repeats.
  'America/Sao_Paulo': ['2018-11-04T03:00:00Z', '2018-02-18T02:00:00Z'],
  'America/Asuncion': ['2023-10-01T04:00:00Z', '2024-03-24T03:00:00Z'],
  'Asia/Amman': ['2021-03-25T22:00:00Z', '2021-10-28T22:00:00Z'],
  // By half an hour, and by a quarter.
  'Asia/Pyongyang': ['2018-05-04T15:00:00Z'],
  'Asia/Kathmandu': ['1985-12-31T18:30:00Z'],
}).map(([zone, changes]) => ({ zone, changes: changes.map((at) => Date.parse(at)) }));
