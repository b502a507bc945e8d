/** One for the page: what it sends itself does not come back to it. */
let channel: BroadcastChannel | undefined;

function openChannel(): BroadcastChannel {
  channel ??= new BroadcastChannel('session');
  return channel;
}

/** Has the other tabs ask for the session at once. */
export function announceSessionChange(): void {
  openChannel().postMessage('changed');
}

/** Calls the listener when another tab has signed in or out. @returns ends the subscription */
export function onSessionChangeElsewhere(listener: () => void): () => void {
  const opened = openChannel();
  opened.addEventListener('message', listener);
  return () => opened.removeEventListener('message', listener);
}
