import type { Page } from '@heliograph/dev/testing/browser';
import type { Look } from '../looks.ts';

/** Unfolds the navigation where the page is too narrow to show all of it. */
export async function openMenu(page: Page): Promise<void> {
  const more = page.getByRole('navigation').getByRole('button', { name: 'More', exact: true });
  if (await more.isVisible()) await more.click();
}

/**
 * Points at the right edge of a plot with a finger or a mouse, as the look has it. The nearest point there is the last
 * one recorded, at any hour of the day.
 */
export async function pointAtEnd(plot: ReturnType<Page['locator']>, { isPhone }: Look): Promise<void> {
  const box = await plot.boundingBox();
  if (box === null) throw new Error('The plot is not shown');
  const position = { x: box.width - 2, y: box.height / 2 };
  await (isPhone ? plot.tap({ position }) : plot.hover({ position }));
}
