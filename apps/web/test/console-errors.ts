import type { Page } from '@heliograph/dev/testing/browser';

/** Of Playwright, in a visit without the service worker. */
const BLOCKED_WORKER = 'Service Worker registration blocked by Playwright';

/**
 * A page that is left while its stream connects ends the connection, which browsers log as an error. A page that connected twice
 * would do so, too, and is not noticed here.
 */
const LEFT_PAGE = / failed: WebSocket is closed before the connection is established/;

/**
 * Collects errors of a page: those in its console, violated policies, and uncaught exceptions.
 *
 * @param expected patterns of errors that a journey provokes itself
 * @returns a list that grows
 */
export function watchConsole(page: Page, expected: readonly RegExp[]): string[] {
  const errors: string[] = [];
  const note = (text: string): void => {
    if (![LEFT_PAGE, ...expected].some((pattern) => pattern.test(text))) errors.push(text);
  };
  page.on('console', (message) => {
    if (message.text() === BLOCKED_WORKER) return;
    if (message.type() === 'error' || message.type() === 'warning')
      note(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => note(error.stack ?? error.message));
  return errors;
}
