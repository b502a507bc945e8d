import { DAY_MS } from '../../common/local-time.ts';
import type { HistorySource } from '../../history/history.ts';
import type { Problem } from './problems.ts';

/** How far back is looked for when the hardware began to complain, in milliseconds. */
const LOOK_BACK_MS = 30 * DAY_MS;

/** The problems with when each complaint began, where the history has seen it begin. */
export async function withProblemStarts(
  problems: readonly Problem[],
  history: Pick<HistorySource, 'read'>,
  nowMs: number,
): Promise<readonly Problem[]> {
  const topics = new Set(problems.flatMap((problem) => (problem.kind === 'fault' ? problem.topics : [])));
  if (topics.size === 0) return problems;
  const fromMs = nowMs - LOOK_BACK_MS;
  const began = await latestChanges(history, topics, fromMs, nowMs);
  return problems.map((problem) => {
    const atMs = problem.kind === 'fault' ? began.get(problem.topics[0] ?? '') : undefined;
    return atMs === undefined || atMs <= fromMs ? problem : { ...problem, sinceMs: atMs };
  });
}

async function latestChanges(
  history: Pick<HistorySource, 'read'>,
  topics: ReadonlySet<string>,
  fromMs: number,
  toMs: number,
): Promise<ReadonlyMap<string, number>> {
  const matches = (topic: string): boolean => topics.has(topic);
  // Texts have no steps, which are what an answer may have too many of.
  const { states } = await history.read({ matches, fromMs, toMs, stepMs: DAY_MS });
  return new Map(
    states.flatMap(({ topic, times }) => {
      const changedAt = times.at(-1);
      return changedAt === undefined ? [] : [[topic, changedAt * 1000] as const];
    }),
  );
}
