import { appCode } from '@heliograph/dev/testing';
import type { Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
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

  // Passkeys belong to names, and the address of the test is a number.
  const portalWithName = (): string => fixture().portal.replace('127.0.0.1', 'localhost');

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
    expect(await faultsInBothLooks(page)).toEqual([]);
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
    expect(await faultsInBothLooks(page)).toEqual([]);
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
    const portal = portalWithName();
    await using visit = await fixture().visit({ expectedErrors: [/412/] });
    const { page } = visit;
    const authenticator = await addAuthenticator(page);
    await enter(page, portal);
    await page.getByRole('heading', { name: 'Sites' }).waitFor();
    await page.goto(`${portal}/user/security`);
    await addPasskey(page, 'My laptop');

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
    await expect.poll(() => authenticator.credentialCount()).toBe(0);
  });

  it('a passkey that the service does not know any more is refused as such and leaves the device', async () => {
    const portal = portalWithName();
    await using visit = await fixture().visit({ expectedErrors: [/401/] });
    const { page } = visit;
    const authenticator = await addAuthenticator(page);
    await enter(page, portal);
    await page.getByRole('heading', { name: 'Sites' }).waitFor();
    await page.goto(`${portal}/user/security`);
    await addPasskey(page, 'My tablet');
    await removePasskeysElsewhere(page);

    await forgetSession(page);
    await page.goto(`${portal}/sign_in`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').getByText('This passkey is no longer known here.').waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);
    await expect.poll(() => authenticator.credentialCount()).toBe(0);
  });

  it('the second step names the host where a passkey works', async () => {
    const portal = portalWithName();
    await using visit = await fixture().visit({ expectedErrors: [/412/] });
    const { page } = visit;
    await addAuthenticator(page);
    await enter(page, portal);
    await page.getByRole('heading', { name: 'Sites' }).waitFor();
    await page.goto(`${portal}/user/security`);
    await page.getByText('or a security key, at localhost alone.').waitFor();
    await addPasskey(page, 'My laptop');

    await page.goto('about:blank');
    await enter(page, fixture().portal);
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    await page.getByText('Your passkey works at localhost.').waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);
    await page.getByRole('link', { name: 'Sign in at localhost' }).click();
    await page.waitForURL(`${portal}/**`);

    await page.goto(`${portal}/user/security`);
    await removePasskeysElsewhere(page);
  });

  it('the secret of an authenticator app outlasts a reload until the user starts again', async () => {
    const { portal } = fixture();
    await using visit = await fixture().visit({});
    const { page } = visit;
    await enter(page, portal);
    await page.getByRole('heading', { name: 'Sites' }).waitFor();
    await page.goto(`${portal}/user/security`);
    const secret = page.getByRole('region', { name: 'Secret' }).locator('code');
    await page.getByRole('button', { name: 'Set up an app' }).click();
    const first = await secret.textContent();
    await page.reload();
    await page.getByRole('button', { name: 'Set up an app' }).click();
    expect(await secret.textContent()).toBe(first);
    expect(await faultsInBothLooks(page)).toEqual([]);
    expect(await page.getByText('This is shown only now').count()).toBe(0);
    await page.getByRole('button', { name: 'Start again' }).click();
    await expect.poll(() => secret.textContent()).not.toBe(first);
    await page.getByText('Delete the former entry in the app').waitFor();
  });

  it('a device is added as a passkey once', async () => {
    const portal = portalWithName();
    await using visit = await fixture().visit({});
    const { page } = visit;
    await addAuthenticator(page);
    await enter(page, portal);
    await page.getByRole('heading', { name: 'Sites' }).waitFor();
    await page.goto(`${portal}/user/security`);
    await addPasskey(page, 'My laptop');
    await page.getByLabel('Name of the passkey').fill('My laptop again');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('alert').getByText('This device has a passkey of this account already.').waitFor();
    await removePasskeysElsewhere(page);
  });
}

/** The page is left first: what it still asks for would be refused. */
async function forgetSession(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

/** A virtual authenticator of the browser that verifies its user. */
async function addAuthenticator(page: Page) {
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    credentialCount: async () =>
      (await browser.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  };
}

/** Adds a passkey on the page "Security". */
async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name of the passkey').fill(name);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: `Remove: ${name}` }).waitFor();
}

/** Removes the passkeys of the account without the page, as another browser would. */
async function removePasskeysElsewhere(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const api = '/portal/api/v1/user';
    const { passkeys } = await (await fetch(`${api}/second_factor`)).json();
    for (const { id } of passkeys) await fetch(`${api}/passkeys/${id}`, { method: 'DELETE' });
  });
}
