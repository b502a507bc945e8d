import type { Page } from '@heliograph/dev/testing/browser';

/** Of an account. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Types an email and a password where the page asks for them, and sends them. */
export async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
