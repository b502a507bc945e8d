import { AlertsOfSite } from '../../shared/alerts/alerts-of-site.tsx';
import { CloudAlerts } from '../parts/cloud-alerts.tsx';
import { NotificationQuestion } from '../parts/notification-question.tsx';
import { LiveTab } from './live-tab.tsx';
import { useSite } from './site-context.tsx';

/** The alerts of the site and the rules that raise them, from its device; while that is offline, the alerts from the cloud. */
export function Page() {
  const { site, role } = useSite();
  const isAdmin = role === 'owner' || role === 'admin';
  return (
    <>
      {isAdmin && <NotificationQuestion />}
      <LiveTab whenOffline={<CloudAlerts siteId={site.id} mayAcknowledge={isAdmin} />}>
        <AlertsOfSite mayAcknowledge={isAdmin} mayConfigure={isAdmin} />
      </LiveTab>
    </>
  );
}
