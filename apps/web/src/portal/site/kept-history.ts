import type { HistoryAnswer } from '@heliograph/client';
import type { HistorySource } from '../../shared/live/history-source.tsx';
import { cloud } from '../session/cloud.ts';

/** Energy and curves of a site from the cloud, which keeps them where the owner agreed. */
export function keptHistory(id: number): HistorySource {
  // The cloud answers all topics at once, and each curve is read by itself.
  const answers = new Map<string, Promise<HistoryAnswer>>();
  const historyOf = (from: string | undefined, to: string | undefined): Promise<HistoryAnswer> => {
    const key = `${from} ${to}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = cloud.getSiteHistory({ id, from, to });
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    return answer;
  };
  return {
    energy: ({ from, to, step } = {}) =>
      cloud.getSiteEnergy({ id, from: textOf(from), to: textOf(to), step }),
    history: async ({ topic, from, to } = {}) => {
      const { series, ...answer } = await historyOf(textOf(from), textOf(to));
      return { ...answer, series: series.filter((one) => one.topic === topic) };
    },
  };
}

function textOf(time: string | Date | undefined): string | undefined {
  return time instanceof Date ? time.toISOString() : time;
}
