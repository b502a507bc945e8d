import { SettingsPanel } from '../../shared/settings/settings-panel.tsx';
import { LiveTab } from './live-tab.tsx';
import { useSite } from './site-context.tsx';

export function Page() {
  const { site, rights } = useSite();
  return (
    <LiveTab>
      <SettingsPanel mayWrite={rights.mayWrite} logPath={`/sites/${site.id}/device`} />
    </LiveTab>
  );
}
