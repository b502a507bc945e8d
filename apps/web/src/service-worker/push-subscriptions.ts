import { PAGE_ACCOUNT_HEADER } from '@heliograph/contracts/page-account';

/** Paths of the API for the session of this browser. */
const API = '/portal/api/v1';

/** How long the cloud may take to answer, in milliseconds. */
const TIMEOUT_MS = 15_000;

/** The cache in which a browser keeps the id of its subscription: the pages and their worker can read it there. */
const CACHE = 'push';
const CACHED_PATH = '/push_subscription';

/** The subscription of this browser at the cloud. */
export interface OwnSubscription {
  readonly id: number | string;
  /** The account whose messages come. */
  readonly userId: number;
}

/**
 * The public key of the cloud, as base64url.
 *
 * @returns undefined for a cloud that pushes nothing
 * @throws when the cloud does not answer
 */
export async function pushKey(): Promise<string | undefined> {
  const answer = await request('/push_key');
  if (answer.status === 404) return undefined;
  const { key } = (await okay(answer).json()) as { readonly key: string };
  return key;
}

/** @throws when the cloud does not answer, or refuses */
export async function addSubscription(subscription: PushSubscription, userId: number): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const answer = await request('/user/push_subscriptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', [PAGE_ACCOUNT_HEADER]: String(userId) },
    body: JSON.stringify({ endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth } }),
  });
  const { id } = (await okay(answer).json()) as { readonly id: number | string };
  const own: OwnSubscription = { id, userId };
  await (await caches.open(CACHE)).put(CACHED_PATH, new Response(JSON.stringify(own)));
}

/** @returns undefined in a browser that has none */
export async function ownSubscription(): Promise<OwnSubscription | undefined> {
  const cached = await (await caches.open(CACHE)).match(CACHED_PATH);
  return (await cached?.json()) as OwnSubscription | undefined;
}

/** Removes the subscription of this browser from the account; what the cloud does not take, it finds out from the push service. */
export async function removeOwnSubscription(): Promise<void> {
  const own = await ownSubscription();
  await caches.delete(CACHE);
  if (own === undefined) return;
  await request(`/user/push_subscriptions/${encodeURIComponent(own.id)}`, { method: 'DELETE' }).catch(
    () => undefined,
  );
}

function request(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${API}${path}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
}

function okay(answer: Response): Response {
  if (!answer.ok) throw new Error(`The cloud answers ${answer.status}`);
  return answer;
}
