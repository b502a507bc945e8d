import { SettingsPanel } from '../../../../shared/settings/settings-panel.tsx';
import { LiveTab } from '../overview/live-tab.tsx';
import { useSite } from '../site-context.tsx';

export function Page() {
  const { site, may } = useSite();
  return (
    <LiveTab>
      <SettingsPanel mayWrite={may('write')} logPath={`/sites/${site.id}/device`} />
    </LiveTab>
  );
}
