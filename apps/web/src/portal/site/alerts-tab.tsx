import { AlertsOfSite } from '../../shared/alerts/alerts-of-site.tsx';
import { LiveTab } from './live-tab.tsx';
import { useSite } from './site-context.tsx';

/** The alerts of the site, and the rules that raise them. */
export function Page() {
  const { role } = useSite();
  const isAdmin = role === 'owner' || role === 'admin';
  return (
    <LiveTab>
      <AlertsOfSite mayAcknowledge={isAdmin} mayConfigure={isAdmin} />
    </LiveTab>
  );
}
