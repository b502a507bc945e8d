import type { Page } from '@heliograph/dev/testing/browser';
import { expect } from 'vitest';
import { faultsInBothLooks } from '../look/accessibility.ts';

/** Buttons whose dialogs were checked: a dialog is the same in every journey. */
const checked = new Set<string>();

/** Checks the open dialog, confirms it and waits until it closes. @param button label of the button that confirms */
export async function confirm(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  const confirming = dialog.getByRole('button', { name: button, exact: true });
  await confirming.waitFor();
  if (!checked.has(button)) {
    checked.add(button);
    expect(await faultsInBothLooks(page)).toEqual([]);
  }
  await confirming.click();
  await dialog.waitFor({ state: 'detached' });
}
