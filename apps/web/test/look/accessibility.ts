import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@heliograph/dev/testing/browser';
import { PHONE } from '../looks.ts';
import { checkWidth } from '../page-width.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 at the levels A and AA, and what axe knows as good practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** The violations that axe finds on a page, a line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  return await faultsOf(page, { type: 'tag', values: RULES });
}

/**
 * As `accessibilityFaults`, and what is wrong in the look that the journey is not made in: colours without contrast there, and
 * a page of a desktop that is too wide for a phone. The page is as before afterwards.
 */
export async function faultsInBothLooks(page: Page): Promise<string[]> {
  const faults = await accessibilityFaults(page);
  await stopTransitions(page);
  const isDark: boolean = await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`);
  await showColors(page, isDark ? 'light' : 'dark');
  faults.push(...(await contrastFaults(page)).map((fault) => `${isDark ? 'light' : 'dark'}: ${fault}`));
  await showColors(page, isDark ? 'dark' : 'light');
  await page.evaluate('document.adoptedStyleSheets.pop()');
  const viewport = page.viewportSize();
  if (viewport !== null && viewport.width > PHONE.width) {
    await page.setViewportSize(PHONE);
    await checkWidth(page);
    await page.setViewportSize(viewport);
  }
  return faults;
}

/** Colours that are shown from now on are there within a frame, until the page is loaded again. */
export async function stopTransitions(page: Page): Promise<void> {
  await page.evaluate(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { transition: none !important; }');
    document.adoptedStyleSheets.push(sheet);
  }`);
}

/** Waits until the page is painted in these colours, and in the present size of its window. */
export async function showColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
}

/** Those that other colours alone can make. */
export async function contrastFaults(page: Page): Promise<string[]> {
  return await faultsOf(page, { type: 'rule', values: ['color-contrast'] });
}

/** The policy of the page does not hold for axe. */
async function faultsOf(page: Page, runOnly: object): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(AXE);
  const violations: readonly Violation[] = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] })
      .then(({ violations }) => violations.map(({ id, impact, nodes }) => ({
        id, impact, nodes: nodes.slice(0, 3).map(({ target, failureSummary }) => ({ target, failureSummary })),
      })))`,
  );
  return violations.map(
    ({ id, impact, nodes }) =>
      `${id} (${impact}): ${nodes.map(({ target, failureSummary = '' }) => `${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`).join(' | ')}`,
  );
}
