// Takes the place of a service worker, deletes what it stored, and ends itself.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => {
  event.waitUntil(end());
});
// A page was shown. If it registered this worker while another page still used the ended one, the browser restored that
// registration and activates nothing.
addEventListener('message', (event) => {
  event.waitUntil(end());
});

async function end() {
  for (const name of await caches.keys()) await caches.delete(name);
  await registration.unregister();
}
