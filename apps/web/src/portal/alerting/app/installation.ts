/** How these pages become an app: at a click, through a menu of the browser, or as one already. */
export type Installation = 'installed' | 'offered' | 'ios' | 'menu';

/** https://developer.mozilla.org/docs/Web/API/BeforeInstallPromptEvent */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

let offered: InstallPrompt | undefined;
const listeners = new Set<() => void>();

/** Notes what the browser offers; it does so once for each page. */
export function watchInstallation(): void {
  addEventListener('beforeinstallprompt', (event) => {
    // The browser shows no bar of its own.
    event.preventDefault();
    setOffered(event as InstallPrompt);
  });
  addEventListener('appinstalled', () => setOffered(undefined));
}

export function installation(): Installation {
  if (isInstalled()) return 'installed';
  if (offered !== undefined) return 'offered';
  return isIos() ? 'ios' : 'menu';
}

/** @returns ends the subscription */
export function onInstallationChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Has the browser ask whether to install; to be called on a click. */
export async function install(): Promise<void> {
  const prompt = offered;
  setOffered(undefined);
  await prompt?.prompt();
}

/** Whether the page is in a window of the app. */
export function isInstalled(): boolean {
  return (
    matchMedia('(display-mode: standalone)').matches ||
    // iOS before 16.4.
    ('standalone' in navigator && navigator.standalone === true)
  );
}

/** Also an iPad that calls itself a Mac. */
export function isIos(): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.maxTouchPoints > 1 && /Mac/.test(navigator.userAgent))
  );
}

function setOffered(prompt: InstallPrompt | undefined): void {
  offered = prompt;
  for (const listener of listeners) listener();
}
