import { appCode } from '@heliograph/dev-env/testing';
import type { Page } from '@heliograph/dev-env/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { accessibilityFaults } from '../look/accessibility.ts';
import { confirm } from './confirm.ts';
import { signIn } from './sign-in.ts';

/** How long a code is shown, in seconds. */
const STEP_S = 30;

/** Signing in with a second factor, in a browser. */
export function describeSecondFactor(fixture: () => Fixture): void {
  const enter = async (page: Page, portal: string): Promise<void> => {
    await page.goto(`${portal}/sign_in`);
    await signIn(page, fixture().system.run.account);
  };

  it('a user sets up an authenticator app, signs in with its code, and removes it', async () => {
    const { portal } = fixture();
    await using visit = await fixture().visit({ expectedErrors: [/412/] });
    const { page } = visit;
    await enter(page, portal);
    await page.getByRole('heading', { name: 'Sites' }).waitFor();
    await page.goto(`${portal}/user/security`);
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await page.getByRole('img', { name: 'Authenticator app' }).waitFor();
    const secret = (await page.getByRole('region', { name: 'Secret' }).locator('code').textContent()) ?? '';
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel('Code', { exact: true }).fill(await appCode({ secret }));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('10 of 10 codes left').waitFor();
    const codes = (await page.locator('pre').first().textContent())?.split('\n') ?? [];
    expect(codes).toHaveLength(10);
    await page.getByRole('button', { name: 'Make new codes' }).click();
    await confirm(page, 'Make new codes');
    // Those that stopped working are gone from the page.
    await expect.poll(() => page.locator('pre').allTextContents()).not.toContain(codes.join('\n'));
    expect(await page.locator('pre').count()).toBe(1);

    await forgetSession(page);
    await enter(page, portal);
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    expect(await page.getByLabel('Code', { exact: true }).getAttribute('autocomplete')).toBe('one-time-code');
    expect(await accessibilityFaults(page)).toEqual([]);
    // The code of the next step, for the present one was used up.
    await page
      .getByLabel('Code', { exact: true })
      .fill(await appCode({ secret, epoch: Date.now() / 1000 + STEP_S }));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Sites' }).waitFor();

    await page.goto(`${portal}/user/security`);
    await page.getByRole('button', { name: 'Remove: Authenticator app' }).click();
    await confirm(page, 'Remove');
    await page.getByRole('button', { name: 'Set up an app' }).waitFor();
  });

  it('a user adds a passkey, signs in with it after the password and alone, and removes it', async () => {
    // Passkeys belong to names, and the address of the test is a number.
    const portal = fixture().portal.replace('127.0.0.1', 'localhost');
    await using visit = await fixture().visit({ expectedErrors: [/412/] });
    const { page, context } = visit;
    const browser = await context.newCDPSession(page);
    await browser.send('WebAuthn.enable');
    await browser.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await enter(page, portal);
    await page.getByRole('heading', { name: 'Sites' }).waitFor();
    await page.goto(`${portal}/user/security`);
    await page.getByLabel('Name of the passkey').fill('My laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Remove: My laptop' }).waitFor();

    await forgetSession(page);
    await enter(page, portal);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'Sites' }).waitFor();

    await forgetSession(page);
    await page.goto(`${portal}/sign_in`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Sites' }).waitFor();

    await page.goto(`${portal}/user/security`);
    await page.getByRole('button', { name: 'Remove: My laptop' }).click();
    await confirm(page, 'Remove');
    await page.getByRole('button', { name: 'Remove: My laptop' }).waitFor({ state: 'detached' });
  });
}

/** The page is left first: what it still asks for would be refused. */
async function forgetSession(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}
