import type { Page } from '@heliograph/dev-env/testing/browser';
import type { Look } from '../looks.ts';

/** Unfolds the navigation where the page is too narrow to show all of it. */
export async function openMenu(page: Page): Promise<void> {
  const more = page.getByRole('navigation').getByRole('button', { name: 'More', exact: true });
  if (await more.isVisible()) await more.click();
}

/** Points at the middle of something with what there is: a finger or a mouse. */
export async function pointAt(target: ReturnType<Page['locator']>, { isPhone }: Look): Promise<void> {
  await (isPhone ? target.tap() : target.hover());
}
