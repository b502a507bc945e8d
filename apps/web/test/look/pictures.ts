import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@heliograph/dev/testing/browser';

/** For a person to look through. */
const PICTURES = join(import.meta.dirname, '../../screenshots');

/** Puts a picture of a page as it stands into the folder of pictures, except in continuous integration. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.CI !== undefined) return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true, animations: 'disabled' });
}
