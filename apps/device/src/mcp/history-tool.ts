import { BadRequest, NotFound } from '@heliograph/kit';
import { getHistory, MAX_POINTS, type Tool } from '@heliograph/mcp';
import type { Caller } from '../auth/caller.ts';
import { localIso } from '../common/local-time.ts';
import type { SnapshotSource } from '../poll/snapshot.ts';
import { chooseResolution } from './choose-resolution.ts';
import { stepsOf } from './curve-steps.ts';
import { emptySeries, seriesOf } from './history-series.ts';
import { nearTopics } from './near-topics.ts';
import { parseTimeRange } from './parse-time-range.ts';
import type { SiteSources } from './site-sources.ts';
import { readTopicHistory, type TopicHistory } from './topic-history.ts';

/** The past in a few numbers or a curve, of what `GET /api/v1/history` has. */
export function historyTool({
  snapshots,
  history,
  clock,
  calendar: { timeZone: zone },
}: Omit<SiteSources, 'startedAtMonotonicMs'>): Tool<
  Caller,
  typeof getHistory.input,
  typeof getHistory.output
> {
  const spoken = (atMs: number): string => localIso(atMs, zone);
  return {
    ...getHistory,
    isFor: () => true,
    async run({ topics, from = '-24h', to = 'now', as = 'summary', step }) {
      const sinceMs = history.since();
      if (sinceMs === undefined)
        throw new NotFound('Nothing has been recorded yet: get_metrics has the current values.');
      const nowMs = clock.now();
      const asked = parseTimeRange(from, to, nowMs, zone);
      if (asked.toMs <= sinceMs) throw tooFarBack(spoken(sinceMs));
      const wanted = as === 'curve' ? step : undefined;
      const { span, stepMs } = chooseResolution(asked, sinceMs, nowMs, wanted, zone);

      const pasts: (TopicHistory | undefined)[] = [];
      for (const topic of topics) {
        const past = await readTopicHistory(history, topic, span, stepMs);
        if (past === undefined) mustExist(topic, snapshots);
        pasts.push(past);
      }
      const known = pasts.filter((past) => past !== undefined);
      const fromMs = Math.max(sinceMs, Math.min(span.fromMs, ...known.map((past) => past.fromMs)));
      const finestMs = Math.max(stepMs, ...known.map((past) => past.stepMs));
      const told = { fromMs, toMs: span.toMs };
      const most = Math.floor(MAX_POINTS / topics.length);
      const steps = as === 'curve' ? stepsOf(told, step, most, finestMs, zone) : undefined;
      const telling = { span: told, steps, topics: topics.length, spoken };
      return {
        from: spoken(told.fromMs),
        to: spoken(told.toMs),
        time_zone: zone,
        history_since: spoken(sinceMs),
        resolution_s: finestMs / 1000,
        ...(steps !== undefined && { step: steps.step.name }),
        series: topics.map((topic, i) => {
          const past = pasts[i];
          return past === undefined
            ? emptySeries(topic, namesOf(topic, snapshots))
            : seriesOf(topic, past, telling);
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
