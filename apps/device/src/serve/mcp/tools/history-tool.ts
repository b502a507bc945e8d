import { BadRequest, NotFound } from '@heliograph/kit';
import {
  getHistory,
  MAX_POINTS,
  parseTimeRange,
  type StepName,
  type TimeRange,
  type Tool,
} from '@heliograph/mcp';
import type { Caller } from '../../../access/caller.ts';
import { DAY_MS, localIso, localTime } from '../../../common/local-time.ts';
import type { SnapshotSource } from '../../../poll/snapshot.ts';
import { stepsOf } from '../curve-steps.ts';
import { emptySeries, seriesOf } from '../history-series.ts';
import type { SiteSources } from '../site-sources.ts';
import { readTopicHistory, type TopicHistory } from '../topic-history.ts';
import { nearTopics } from './near-topics.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Up to these times an answer is made of single minutes, and of five minutes, each; beyond of hours. */
const MINUTES_UP_TO_MS = 3 * HOUR_MS;
const FIVE_MINUTES_UP_TO_MS = 31 * DAY_MS;

/** Curves of these steps are drawn from finer readings, however long they are. */
const BELOW_AN_HOUR: readonly (StepName | undefined)[] = ['1m', '5m', '15m', '30m'];

/**
 * Which readings an answer is made of: fine enough for what is asked, and no finer, since each is decoded.
 *
 * @returns the span in whole steps, except for its end where that is now, and the steps' length in milliseconds
 */
export function chooseResolution(
  { fromMs, toMs }: TimeRange,
  sinceMs: number,
  nowMs: number,
  step: StepName | undefined,
  zone: string,
): { readonly span: TimeRange; readonly stepMs: number } {
  const knownFromMs = Math.max(fromMs, sinceMs);
  const stepMs = stepFor(toMs - knownFromMs, step);
  const from = floorTo(knownFromMs, stepMs, zone);
  const floor = floorTo(toMs, stepMs, zone);
  const end = floor < toMs ? floor + stepMs : toMs;
  return { span: { fromMs: from, toMs: Math.min(end, Math.max(nowMs, toMs)) }, stepMs };
}

function stepFor(rangeMs: number, step: StepName | undefined): number {
  if (rangeMs <= MINUTES_UP_TO_MS && (step === undefined || step === '1m')) return MINUTE_MS;
  if (rangeMs <= FIVE_MINUTES_UP_TO_MS || BELOW_AN_HOUR.includes(step)) return 5 * MINUTE_MS;
  return HOUR_MS;
}

/** Hours begin with those of the site: in zones at half past of UTC they are other ones. */
function floorTo(atMs: number, stepMs: number, zone: string): number {
  return atMs - (localTime(atMs, zone) % stepMs);
}

/** The past in a few numbers or a curve, of what `GET /api/v1/history` has. */
export function historyTool({
  snapshots,
  history,
  clock,
  calendar: { timeZone: zone },
}: Pick<SiteSources, 'snapshots' | 'history' | 'clock' | 'calendar'>): Tool<
  Caller,
  typeof getHistory.input,
  typeof getHistory.output
> {
  const formatTime = (atMs: number): string => localIso(atMs, zone);
  return {
    ...getHistory,
    isFor: () => true,
    async run({ topics: given, from = '-24h', to = 'now', as = 'summary', step }) {
      const topics = [...new Set(given)];
      const sinceMs = history.since();
      if (sinceMs === undefined)
        throw new NotFound('Nothing has been recorded yet: get_metrics has the current values.');
      const nowMs = clock.now();
      const requested = parseTimeRange(from, to, nowMs, zone);
      if (requested.toMs <= sinceMs) throw tooFarBack(formatTime(sinceMs));
      const wanted = as === 'curve' ? step : undefined;
      const { span, stepMs } = chooseResolution(requested, sinceMs, nowMs, wanted, zone);

      const histories: (TopicHistory | undefined)[] = [];
      for (const topic of topics) {
        const series = await readTopicHistory(history, topic, span, stepMs);
        if (series === undefined) mustExist(topic, snapshots);
        histories.push(series);
      }
      const known = histories.filter((series) => series !== undefined);
      const fromMs = Math.max(sinceMs, Math.min(span.fromMs, ...known.map((series) => series.fromMs)));
      const finestMs = Math.max(stepMs, ...known.map((series) => series.stepMs));
      const range = { fromMs, toMs: span.toMs };
      const most = Math.floor(MAX_POINTS / topics.length);
      const steps = as === 'curve' ? stepsOf(range, step, most, finestMs, zone) : undefined;
      const format = { span: range, steps, topics: topics.length, formatTime };
      return {
        from: formatTime(range.fromMs),
        to: formatTime(range.toMs),
        time_zone: zone,
        history_since: formatTime(sinceMs),
        resolution_s: finestMs / 1000,
        ...(steps !== undefined && { step: steps.step.name }),
        series: topics.map((topic, i) => {
          const series = histories[i];
          return series === undefined
            ? emptySeries(topic, namesOf(topic, snapshots))
            : seriesOf(topic, series, format);
        }),
      };
    },
  };
}

function tooFarBack(since: string): BadRequest {
  return new BadRequest(`History begins at ${since}: nothing is known of the time before. Ask from then on.`);
}

/** @throws NotFound in words that help to find what is meant */
function mustExist(topic: string, { current }: SnapshotSource): void {
  if (current.samples.has(topic)) return;
  const topics = [...current.samples.values()].flatMap(({ definition }) =>
    definition.group === 'Ignore' ? [] : [definition.topic],
  );
  const hint = /[*?]/.test(topic) ? ' Globs are for get_metrics; here topics are exact.' : '';
  throw new NotFound(`No topic "${topic}" is known of this time or now.${hint} ${nearTopics(topic, topics)}`);
}

function namesOf(topic: string, { current }: SnapshotSource): Pick<TopicHistory, 'name' | 'unit'> {
  const definition = current.samples.get(topic)?.definition;
  return { name: definition?.name ?? topic, unit: definition?.unit ?? '' };
}
