import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@heliograph/dev-env/testing/browser';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 at the levels A and AA, and what axe knows as good practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** The violations that axe finds on a page, a line each. The policy of the page does not hold for axe. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(`if (!globalThis.axe) { ${AXE} }`);
  const violations: readonly Violation[] = await page.evaluate(
    `axe.run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(RULES)} }, resultTypes: ['violations'] })
      .then(({ violations }) => violations.map(({ id, impact, nodes }) => ({
        id, impact, nodes: nodes.slice(0, 3).map(({ target, failureSummary }) => ({ target, failureSummary })),
      })))`,
  );
  return violations.map(
    ({ id, impact, nodes }) =>
      `${id} (${impact}): ${nodes.map(({ target, failureSummary = '' }) => `${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`).join(' | ')}`,
  );
}
