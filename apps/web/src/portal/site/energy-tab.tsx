import { useState } from 'react';
import { EnergyOfSite } from '../../shared/energy-page/energy-page.tsx';
import { HistorySourceContext } from '../../shared/live/history-source.tsx';
import { KeptAge } from './kept-age.tsx';
import { keptHistory } from './kept-history.ts';
import { LiveTab } from './live-tab.tsx';
import { useSite } from './site-context.tsx';

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
