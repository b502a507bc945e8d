import { MAX_PROBLEM_TOPICS, type status } from '@heliograph/mcp';
import { complaintKindOf, complaintsIn, UNIT_KINDS } from '@heliograph/metrics';
import type { Static } from 'typebox';
import type { Sample } from '../../../poll/snapshot.ts';
import { lastReadAt, type SnapshotValues } from '../snapshot-values.ts';

/** Something that is wrong; when it began in milliseconds since the epoch, undefined where that is unknown. */
export interface Problem extends Omit<Static<typeof status.output>['problems'][number], 'since'> {
  readonly sinceMs: number | undefined;
}

/** Fewer answered polls than this, in percent, are a sick link. */
const HEALTHY_LINK_PERCENT = 90;

const RECORDING = 'Recording';

/** Everything that the current values show to be wrong. */
export function problemsIn(values: SnapshotValues): readonly Problem[] {
  const units = UNIT_KINDS.flatMap((kind) => values.devices(kind));
  const missing: Problem = {
    device: 'system',
    kind: 'missing',
    sinceMs: undefined,
    text: 'No hardware is known: none is configured, or none has answered yet.',
    topics: [],
  };
  return [
    ...(units.length === 0 ? [missing] : []),
    ...units.flatMap((device) => [
      ...staleness(device, values),
      ...sickLink(device, values),
      ...complaints(device, values),
    ]),
    ...historyProblem(values),
  ];
}

function staleness(device: string, values: SnapshotValues): readonly Problem[] {
  const samples = values.samples(device);
  const stale = samples.filter((sample) => sample.stale);
  if (stale.length === 0) return [];
  const readAt = lastReadAt(stale);
  const silent = stale.every(({ readAt: at }) => at === 0);
  const how = silent
    ? 'were not read since the device started'
    : 'are too old to be true and shown as unknown';
  const count = `${stale.length} of ${samples.length} values`;
  // The link quality covers the last minute, and is still high when the unit has just fallen silent.
  const isGone = stale.length * 2 > samples.length;
  return [
    {
      device,
      kind: 'stale',
      sinceMs: readAt,
      text: isGone ? `${device} does not answer: ${count} ${how}.` : `${count} of ${device} ${how}.`,
      topics: topicsOf(stale),
    },
  ];
}

function sickLink(device: string, values: SnapshotValues): readonly Problem[] {
  const topic = `${device}/link_quality`;
  const answered = values.number(topic);
  const isSilent = values.samples(device).some(({ stale }) => stale);
  if (answered === null || answered >= HEALTHY_LINK_PERCENT || isSilent) return [];
  return [
    {
      device,
      kind: 'link',
      sinceMs: undefined,
      text: `${device} answered only ${answered} % of the polls of the last minute: look at its cable or network.`,
      topics: [topic],
    },
  ];
}

function complaints(device: string, values: SnapshotValues): readonly Problem[] {
  return values.samples(device).flatMap(({ definition: { name, topic }, value }) => {
    if (typeof value !== 'string') return [];
    if (complaintKindOf(name) === undefined || complaintsIn(name, value).length === 0) return [];
    return [
      {
        device,
        kind: 'fault' as const,
        sinceMs: undefined,
        text: `${device} reports ${name}: ${value}`,
        topics: [topic],
      },
    ];
  });
}

function historyProblem(values: SnapshotValues): readonly Problem[] {
  const topic = 'system/history';
  const state = values.text(topic);
  if (state === null || state === RECORDING) return [];
  return [
    { device: 'system', kind: 'history', sinceMs: undefined, text: `History: ${state}`, topics: [topic] },
  ];
}

function topicsOf(samples: readonly Sample[]): string[] {
  return samples.slice(0, MAX_PROBLEM_TOPICS).map(({ definition }) => definition.topic);
}
