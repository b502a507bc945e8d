import { queries } from '../../../shared/queries/query-client.ts';
import { switchOffForOthers } from '../../session/own-device.ts';
import { sessionQuery } from '../../session/session.ts';
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
  followAccount();
  await navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage('shown');
}

/** Messages of an account that signed in here before end with the sign-in of another one. */
function followAccount(): void {
  const [sessionKey] = sessionQuery.queryKey;
  const check = (): void => {
    const user = queries.getQueryData(sessionQuery.queryKey)?.user;
    if (user != null) void switchOffForOthers(user.id).catch(() => undefined);
  };
  check();
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryKey[0] === sessionKey) check();
  });
}
