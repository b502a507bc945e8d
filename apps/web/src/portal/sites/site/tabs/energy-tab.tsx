import type { HistoryAnswer } from '@heliograph/client';
import { useState } from 'react';
import { EnergyOfSite } from '../../../../shared/energy-page/energy-page.tsx';
import { type HistorySource, HistorySourceContext } from '../../../../shared/live/history-source.tsx';
import { cloud } from '../../../session/cloud.ts';
import { KeptAge } from '../overview/kept-age.tsx';
import { LiveTab } from '../overview/live-tab.tsx';
import { useSite } from '../site-context.tsx';

/** The energy of the site by day, week, month and year: from its device, and from the cloud while that is offline. */
export function Page() {
  const { site, role } = useSite();
  return (
    <LiveTab whenOffline={site.history_consent.agreed && <KeptEnergy siteId={site.id} />}>
      <EnergyOfSite mayConfigure={role === 'owner' || role === 'admin'} />
    </LiveTab>
  );
}

function KeptEnergy({ siteId }: { readonly siteId: number }) {
  const [source] = useState(() => keptHistory(siteId));
  return (
    <HistorySourceContext value={source}>
      <KeptAge />
      <EnergyOfSite mayConfigure={false} />
    </HistorySourceContext>
  );
}

/** Energy and curves of a site from the cloud, which keeps them where the owner agreed. */
function keptHistory(id: number): HistorySource {
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
