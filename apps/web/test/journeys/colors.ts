import type { Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { contrastFaults } from '../look/accessibility.ts';
import { unreadableDuring } from '../look/contrast-frames.ts';
import { picture } from '../look/pictures.ts';

/** `--hg-page` of tokens.css. */
const GROUNDS = { Light: 'rgb(247, 247, 245)', Dark: 'rgb(22, 26, 34)' } as const;

/** With live values, forms, choices and switches. */
const PAGES = [
  ['demo', '/sites', 'demo'],
  ['demo', '/sites/1/support', 'Support has no access'],
  ['demo', '/user', 'demo@heliograph.test'],
  ['device', '/configuration', 'Time zone'],
] as const;

/** Light and dark, by the system and by choice. */
export function describeColors(fixture: () => Fixture): void {
  it.each(PAGES)(
    'a change of colours leaves no text unreadable for a frame: %s %s',
    async (as, path, text) => {
      const { portal, device } = fixture();
      for (const reducedMotion of ['no-preference', 'reduce'] as const) {
        await using visit = await fixture().visit({ as });
        const { page } = visit;
        await page.emulateMedia({ colorScheme: 'light', reducedMotion });
        await page.goto(`${as === 'demo' ? portal : device}${path}`);
        await page.getByText(text, { exact: false }).filter({ visible: true }).first().waitFor();
        await page.getByRole('group', { name: 'Light or dark' }).waitFor();
        expect(await unreadableDuring(page, () => page.emulateMedia({ colorScheme: 'dark' }))).toEqual([]);
        expect(await groundOf(page)).toBe(GROUNDS.Dark);
        for (const choice of ['Light', 'Dark'] as const) {
          expect(await unreadableDuring(page, clickOn(choice))).toEqual([]);
          expect(await groundOf(page)).toBe(GROUNDS[choice]);
        }
      }
    },
  );

  it('a chosen look stays, whatever the look of the system', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    for (const [system, choice] of [
      ['dark', 'Light'],
      ['light', 'Dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme: system });
      await page.goto(`${fixture().portal}/sites/1/support`);
      await page.getByText('Support has no access').waitFor();
      await page.getByRole('radio', { name: choice }).check({ force: true });
      await page.reload();
      await page.getByText('Support has no access').waitFor();
      await page.getByRole('group', { name: 'Light or dark' }).waitFor();
      expect(await groundOf(page)).toBe(GROUNDS[choice]);
      expect(await contrastFaults(page)).toEqual([]);
      await picture(page, `chosen-${choice.toLowerCase()}`);
    }
  });
}

const clickOn = (choice: string): string =>
  `document.querySelector('input[type=radio][aria-label=${choice}]').click();`;

async function groundOf(page: Page): Promise<string> {
  return await page.evaluate('getComputedStyle(document.body).backgroundColor');
}
