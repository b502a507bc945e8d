import {
  addSubscription,
  ownSubscription,
  pushKey,
  removeOwnSubscription,
} from '../../service-worker/push-subscriptions.ts';

/** Whether messages of an account come to this browser; `unoffered`: the cloud pushes none. */
export type PushState = 'unoffered' | 'unsupported' | 'denied' | 'off' | 'on';

/** How long the worker may take to start, in milliseconds. */
const WORKER_TIMEOUT_MS = 10_000;

/** Whether the browser can show messages of these pages while they are closed. */
function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
}

/** @throws when the cloud does not answer */
export async function pushState(userId: number): Promise<PushState> {
  const key = await pushKey();
  if (key === undefined) return 'unoffered';
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const [subscription, own] = await Promise.all([currentSubscription(), ownSubscription()]);
  const isOn =
    Notification.permission === 'granted' &&
    subscription != null &&
    isBoundTo(subscription, key) &&
    own?.userId === userId;
  return isOn ? 'on' : 'off';
}

/** Whether the cloud can use a subscription: it may have got another key since. @param key as base64url */
function isBoundTo({ options }: PushSubscription, key: string): boolean {
  // Some browsers leave it out.
  const bound = options?.applicationServerKey;
  if (bound == null) return true;
  const text = btoa(String.fromCharCode(...new Uint8Array(bound)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === key;
}

/**
 * Asks for the permission, and has messages of the account come to this browser. To be called on a click: browsers ask
 * only then.
 *
 * @throws when the cloud or the push service of the browser does not answer
 */
export async function switchOn(userId: number): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return pushState(userId);
  const key = await pushKey();
  if (key === undefined) throw new Error('The cloud pushes nothing');
  const { pushManager } = await registrationInTime();
  // A subscription of another account, or with a former key of the cloud, would be taken for a new one.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  try {
    await addSubscription(subscription, userId);
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
  return pushState(userId);
}

/** Ends the messages to this browser, of any account. */
export async function switchOff(): Promise<void> {
  if (!isSupported()) return;
  await removeOwnSubscription();
  await (await currentSubscription())?.unsubscribe();
}

/** Messages of another account, which signed in here before, end. */
export async function switchOffForOthers(userId: number): Promise<void> {
  if (!isSupported()) return;
  const own = await ownSubscription();
  if (own !== undefined && own.userId !== userId) await switchOff();
}

/** @throws where there is no worker: the operator of the cloud has ended it */
async function registrationInTime(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('There is no service worker')), WORKER_TIMEOUT_MS);
  });
  return Promise.race([navigator.serviceWorker.ready, late]);
}

async function currentSubscription(): Promise<PushSubscription | null | undefined> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  return registration?.pushManager.getSubscription();
}
