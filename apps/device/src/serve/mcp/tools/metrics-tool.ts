import { BadRequest, NotFound } from '@heliograph/kit';
import { DEFAULT_METRICS, getMetrics, type Tool } from '@heliograph/mcp';
import { compileGlob, type MetricDefinition } from '@heliograph/metrics';
import type { Static } from 'typebox';
import type { Caller } from '../../../access/caller.ts';
import type { Sample } from '../../../poll/snapshot.ts';
import { metricRow } from '../../stream/rows.ts';
import type { LoggedWrite, SiteSources } from '../site-sources.ts';
import { nearTopics } from './near-topics.ts';

type Requested = Static<typeof getMetrics.input>;
type Metric = Static<typeof getMetrics.output>['metrics'][number];

/** Current values by glob, as `GET /api/v1/metrics` has them. */
export function metricsTool({
  snapshots,
  writes,
  clock,
}: Pick<SiteSources, 'snapshots' | 'writes' | 'clock'>): Tool<
  Caller,
  typeof getMetrics.input,
  typeof getMetrics.output
> {
  return {
    ...getMetrics,
    isFor: () => true,
    async run(requested, { mayWrite }) {
      const samples = [...snapshots.current.samples.values()];
      const matched = samples.filter(selection(requested));
      if (matched.length === 0) throw nothingMatches(requested, samples);
      const { limit = DEFAULT_METRICS } = requested;
      const first = requested.cursor === undefined ? 0 : placeAfter(requested.cursor, matched);
      const page = matched.slice(first, first + limit);
      const lastWrites = mayWrite ? lastWritesOf(page, writes, clock.now()) : NO_WRITES;
      const isLast = first + limit >= matched.length;
      return {
        total: matched.length,
        metrics: page.map((sample) => presented(sample, lastWrites.get(sample.definition.topic))),
        next: isLast ? null : (page.at(-1)?.definition.topic ?? null),
        unmatched: requested.topics.filter((glob) => {
          const matches = compileGlob(glob);
          return !matched.some(({ definition }) => matches(definition.topic));
        }),
      };
    },
  };
}

function selection({ topics, group }: Requested): (sample: Sample) => boolean {
  const globs = topics.map(compileGlob);
  const exact = new Set(topics);
  return ({ definition }) => {
    if (group !== undefined && definition.group !== group) return false;
    if (group === undefined && definition.group === 'Ignore' && !exact.has(definition.topic)) return false;
    return globs.some((matches) => matches(definition.topic));
  };
}

/** A cursor is the last topic of a page: the rest follows from it even when topics were added or removed. */
function placeAfter(cursor: string, matched: readonly Sample[]): number {
  const place = matched.findIndex(({ definition }) => definition.topic === cursor);
  if (place < 0)
    throw new BadRequest('The cursor belongs to another call, or its topic is gone: ask without cursor.');
  return place + 1;
}

function nothingMatches({ topics, group }: Requested, samples: readonly Sample[]): NotFound {
  const shown = samples.filter(({ definition }) => definition.group === (group ?? definition.group));
  const named = topics.map((topic) => `"${topic}"`).join(', ');
  const inGroup = group === undefined ? '' : ` in the group ${group}`;
  return new NotFound(
    `Nothing matches ${named}${inGroup}. ${nearTopics(topics.join(' '), shown.filter(isShown).map(topicOf))}`,
  );
}

const isShown = ({ definition }: Sample): boolean => definition.group !== 'Ignore';
const topicOf = ({ definition }: Sample): string => definition.topic;

/** How far back attempts are shown, in milliseconds. */
const SHOWN_MS = 24 * 60 * 60 * 1000;

/** How many of the newest attempts are looked through. */
const MAX_WRITES = 500;

const NO_WRITES: ReadonlyMap<string, LoggedWrite> = new Map();

/** The newest attempt of each setting on the page, by topic. */
function lastWritesOf(
  page: readonly Sample[],
  writes: SiteSources['writes'],
  nowMs: number,
): ReadonlyMap<string, LoggedWrite> {
  if (!page.some(({ definition }) => definition.setting !== undefined)) return NO_WRITES;
  const recent = writes.recent(MAX_WRITES).filter(({ at }) => at > nowMs - SHOWN_MS);
  return new Map(recent.toReversed().map((write) => [write.topic, write]));
}

function presentedWrite({
  at,
  newValue,
  outcome,
  reason,
  isOpen,
  settlesBy,
}: LoggedWrite): NonNullable<Metric['last_write']> {
  return {
    at: new Date(at).toISOString(),
    value: newValue,
    outcome,
    reason,
    pending: isOpen,
    settles_by: settlesBy,
  };
}

function presented(sample: Sample, write: LoggedWrite | undefined): Metric {
  const { topic, name, value, unit, updated_at, stale, last_value } = metricRow(sample);
  const setting = settingOf(sample.definition);
  return {
    topic,
    name,
    value,
    unit,
    updated_at,
    stale,
    ...(last_value !== undefined && { last_value }),
    ...(setting !== undefined && { setting }),
    ...(setting !== undefined && write !== undefined && { last_write: presentedWrite(write) }),
  };
}

function settingOf({ setting }: MetricDefinition): Metric['setting'] {
  switch (setting?.kind) {
    case 'number': {
      const { min, max, step } = setting;
      return { min, max, step };
    }
    case 'select':
      return { options: [...setting.options] };
    case 'switch':
      return { options: ['true', 'false'] };
    case undefined:
      return undefined;
  }
}
