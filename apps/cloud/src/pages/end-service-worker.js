// Takes the place of a service worker, deletes what it stored, and ends itself.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => {
  event.waitUntil(end());
});

async function end() {
  for (const name of await caches.keys()) await caches.delete(name);
  await registration.unregister();
}
