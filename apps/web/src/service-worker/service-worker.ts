/// <reference lib="webworker" />
import { readPushMessage } from './push-message.ts';
import { addSubscription, ownSubscription, pushKey } from './push-subscriptions.ts';

/*
 * The worker of the portal: it shows pushed messages, and a page of its own where there is no connection. It stores that
 * page and nothing else. Every other page, and every answer of the API, comes from the network, so that nothing is stale.
 */

declare const self: ServiceWorkerGlobalScope;

const OFFLINE_PATH = '/offline';
const OFFLINE_CACHE = 'offline';

/** Files of the offline page: its script and its styles. */
const OFFLINE_FILES = '/assets/offline-';

self.addEventListener('install', (event) => {
  // A new version replaces the former at once: neither stores what the other could miss.
  event.waitUntil(Promise.all([storeOfflinePage(), self.skipWaiting()]));
});

self.addEventListener('activate', (event) => {
  // Otherwise a page would wait for this worker to start before it is requested.
  event.waitUntil(Promise.all([self.registration.navigationPreload?.enable(), self.clients.claim()]));
});

// A page was shown: what is stored follows the language, the colours and the version of the pages.
self.addEventListener('message', (event) => event.waitUntil(storeOfflinePage()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate' && request.method === 'GET') event.respondWith(navigate(event));
  else if (new URL(request.url).pathname.startsWith(OFFLINE_FILES)) event.respondWith(storedFile(request));
});

self.addEventListener('push', (event) => {
  event.waitUntil(show(event.data?.text() ?? ''));
});

self.addEventListener('notificationclick', (event) => {
  const { notification } = event;
  notification.close();
  const { path } = notification.data as { readonly path: string };
  event.waitUntil(openWindowAt(path));
});

// The browser replaced its subscription, or let it end.
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription(event as PushSubscriptionChangeEvent));
});

async function navigate({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    return ((await preloadResponse) as Response | undefined) ?? (await fetch(request));
  } catch {
    return (await caches.match(OFFLINE_PATH)) ?? Response.error();
  }
}

async function storedFile(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? (await fetch(request));
}

/** Stores the offline page as it is now, with its files; one that cannot be had leaves the former. */
async function storeOfflinePage(): Promise<void> {
  try {
    const page = await fetch(OFFLINE_PATH, { cache: 'no-store' });
    if (!page.ok) return;
    const html = await page.clone().text();
    const files = [...html.matchAll(/(?:href|src)="(\/assets\/offline-[^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    const cache = await caches.open(OFFLINE_CACHE);
    await cache.addAll(files);
    await cache.put(OFFLINE_PATH, page);
    const kept = new Set([OFFLINE_PATH, ...files]);
    for (const stored of await cache.keys()) {
      if (!kept.has(new URL(stored.url).pathname)) await cache.delete(stored);
    }
  } catch {
    // There is no connection, or the pages are being updated.
  }
}

async function show(text: string): Promise<void> {
  const { title, body, path, tag, badge, isCritical } = readPushMessage(text, self.location.origin);
  await self.registration.showNotification(title, {
    body,
    ...(tag !== undefined && { tag, renotify: true }),
    icon: '/icons/app-192.png',
    badge: '/icons/badge-96.png',
    requireInteraction: isCritical,
    data: { path },
  } as NotificationOptions);
  if (badge !== undefined) await showBadge(badge);
}

/** Not every browser has it, and none for pages that are not installed. */
async function showBadge(count: number): Promise<void> {
  if (!('setAppBadge' in self.navigator)) return;
  try {
    await (count === 0 ? self.navigator.clearAppBadge() : self.navigator.setAppBadge(count));
  } catch {
    // The message itself is shown.
  }
}

/** Focuses a window that shows the path, takes another one there, or opens one. */
async function openWindowAt(path: string): Promise<void> {
  const address = new URL(path, self.location.origin).href;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find(({ url }) => url === address);
  if (there !== undefined) await there.focus();
  else await self.clients.openWindow(address);
}

interface PushSubscriptionChangeEvent extends ExtendableEvent {
  readonly newSubscription?: PushSubscription | null;
}

async function renewSubscription({ newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const [own, key] = await Promise.all([ownSubscription(), pushKey()]);
  if (own === undefined || key === undefined) return;
  const subscription =
    newSubscription ??
    (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  await addSubscription(subscription, own.userId);
}
