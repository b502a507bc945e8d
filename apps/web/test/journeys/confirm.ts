import type { Page } from '@heliograph/dev-env/testing/browser';

/** Confirms the open dialog and waits until it closes. @param button label of the button that confirms */
export async function confirm(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
