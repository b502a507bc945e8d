import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';

/** Fields that people and their password managers fill. */
export function describePasswordFields(fixture: () => Fixture): void {
  it('a password is pasted and shown, and the browser stores nothing of its session', async () => {
    const { portal, system } = fixture();
    const { email, password } = system.run.account;
    await using visit = await fixture().visit();
    const { page, context } = visit;
    await page.goto(`${portal}/sign_in`);
    const address = page.getByLabel('Email');
    const secret = page.getByLabel('Password', { exact: true });
    await address.fill(password);
    await address.press('ControlOrMeta+a');
    await address.press('ControlOrMeta+x');
    await secret.press('ControlOrMeta+v');
    expect(await secret.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'Show what is typed' }).click();
    expect(await secret.getAttribute('type')).toBe('text');
    expect(await secret.inputValue()).toBe(password);
    await address.fill(email);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const session = async () =>
      (await context.cookies()).find(({ name }) => name === '__Host-heliograph_session');
    await expect.poll(session).toMatchObject({ httpOnly: true });
    await secret.waitFor({ state: 'detached' });

    const { value = '' } = (await session()) ?? {};
    const stored: string = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(stored).not.toContain(value);
    expect(stored).not.toMatch(/hg[a-z]_/);
  });
}
