import type { Page } from '@heliograph/dev-env/testing/browser';

/** Says yes to the question that is open, and waits until it is done. @param button what its button says */
export async function confirm(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
