import { type getHistory, MAX_POINTS } from '@heliograph/mcp';
import type { Static } from 'typebox';
import type { Steps } from './curve-steps.ts';
import { energyPoints, measurementPoints, statePoints } from './history-curve.ts';
import { energySummary, measurementSummary, statesSummary, widthIn } from './history-summary.ts';
import type { TimeRange } from './parse-time-range.ts';
import type { TopicHistory } from './topic-history.ts';

type Series = Static<typeof getHistory.output>['series'][number];

/** The form of a topic's history in an answer. */
export interface SeriesFormat {
  readonly span: TimeRange;
  /** Those of a curve; undefined for a summary. */
  readonly steps: Steps | undefined;
  /** How many topics share the points of an answer. */
  readonly topics: number;
  /** Writes a moment as text. */
  readonly spoken: (atMs: number) => string;
}

/** @param name and unit of a topic that nothing is known of in this time */
export function emptySeries(topic: string, { name, unit }: Pick<TopicHistory, 'name' | 'unit'>): Series {
  return { topic, name, unit, kind: 'nothing', first_at: null, last_at: null, covered_percent: 0 };
}

/** A number's past where it has one, otherwise that of a text. */
export function seriesOf(topic: string, series: TopicHistory, format: SeriesFormat): Series {
  const { name, unit, steps, states } = series;
  const { span, spoken } = format;
  const known = steps.length > 0 ? steps : states;
  const within = (atMs: number): string => spoken(Math.max(atMs, span.fromMs));
  const [first, last] = [known[0], known.at(-1)];
  const common = {
    topic,
    name,
    unit,
    first_at: first ? within(first.atMs) : null,
    last_at: last ? within(last.atMs) : null,
  };
  if (steps.length === 0)
    return { ...common, kind: 'text', covered_percent: null, ...textBody(series, format) };
  const coveredMs = steps.reduce((sum, step) => sum + widthIn(span, step), 0);
  const covered_percent = Math.round((100 * coveredMs) / (span.toMs - span.fromMs));
  return unit === 'kWh'
    ? { ...common, kind: 'energy', covered_percent, ...energyBody(series, format) }
    : { ...common, kind: 'measurement', covered_percent, ...measurementBody(series, format) };
}

type SeriesBody = Pick<Series, 'summary' | 'points' | 'points_left_out'>;

function measurementBody(series: TopicHistory, { span, steps, spoken }: SeriesFormat): SeriesBody {
  if (steps === undefined) return { summary: measurementSummary(series, span, spoken) };
  return { points: measurementPoints(series, steps.startsMs, span, spoken) };
}

function energyBody(series: TopicHistory, { steps, spoken }: SeriesFormat): SeriesBody {
  if (steps === undefined) return { summary: energySummary(series) };
  return { points: energyPoints(series, steps.startsMs, spoken) };
}

function textBody(series: TopicHistory, { span, steps, topics, spoken }: SeriesFormat): SeriesBody {
  if (steps === undefined) return { summary: statesSummary(series, span) };
  return statePoints(series, Math.floor(MAX_POINTS / topics), spoken);
}
