import { RulesCard } from '../../shared/alerts/rules-card.tsx';
import { CloudAlerts } from '../parts/cloud-alerts.tsx';
import { NotificationQuestion } from '../parts/notification-question.tsx';
import { LiveTab } from './live-tab.tsx';
import { OfflineAlertCard } from './offline-alert-card.tsx';
import { useSite } from './site-context.tsx';

/** The alerts of the site, as the cloud has them, and the rules that raise them, which are those of its device. */
export function Page() {
  const { site, role } = useSite();
  const isAdmin = role === 'owner' || role === 'admin';
  return (
    <>
      <CloudAlerts siteId={site.id} />
      <OfflineAlertCard />
      <LiveTab>
        <RulesCard mayConfigure={isAdmin} />
      </LiveTab>
      {/* Above, it would push the alerts away from a finger that comes down on them. */}
      {isAdmin && <NotificationQuestion />}
    </>
  );
}
