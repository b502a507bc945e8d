import { queries } from '../../shared/queries/query-client.ts';
import { switchOffForOthers } from '../push/own-device.ts';
import { sessionQuery } from '../session/session.ts';
import { followBadge, refreshBadge, showBadge } from './badge.ts';
import { isInstalled, watchInstallation } from './installation.ts';

/** Starts what makes these pages an app; called once, after the first view. */
export async function startApp(): Promise<void> {
  watchInstallation();
  followBadge();
  const { user } = await queries.ensureQueryData(sessionQuery);
  if (user === null) await showBadge(0);
  else if (isInstalled()) {
    void refreshBadge();
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') void refreshBadge();
    });
  }
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage('shown');
  if (user !== null) await switchOffForOthers(user.id);
}
