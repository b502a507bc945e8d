import type { BrowserContext, Page } from '@heliograph/dev/testing/browser';
import { expect } from 'vitest';
import { PASSWORD } from '../../factory.ts';

/** Patience for a loaded machine, in milliseconds: only a failure takes this long. */
const PATIENCE_MS = 60_000;

/** A tab of a browser at the pages of a cloud, and what a person does there. */
export class Tab {
  readonly page: Page;
  readonly #refusals: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) this.#refusals.push(message.text());
    });
    page.on('pageerror', (error) => this.#refusals.push(error.stack ?? error.message));
  }

  static async in(context: BrowserContext): Promise<Tab> {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    return new Tab(page);
  }

  /** Forgets who was signed in, and what was preferred. */
  static async closeAll(context: BrowserContext): Promise<void> {
    await Promise.all(context.pages().map((page) => page.close()));
    await context.clearCookies();
  }

  /** Violations of the page's policy, and uncaught exceptions; expected to be empty. */
  get refusals(): readonly string[] {
    return this.#refusals;
  }

  /** As `refusals`, for a test that provokes them. */
  takeRefusals(): readonly string[] {
    return this.#refusals.splice(0);
  }

  async titled(title: string): Promise<void> {
    await expect.poll(() => this.page.locator('h1').innerText()).toBe(title);
  }

  async hasText(text: string): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  async press(button: string): Promise<void> {
    await this.page.getByRole('button', { name: button, exact: true }).click();
  }

  async fill(label: string, text: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(text);
  }

  async signsIn({ email }: { readonly email: string }, password = PASSWORD): Promise<void> {
    await this.fill('Email', email);
    await this.fill('Password', password);
    await this.press('Sign in');
  }

  /** The name of the field that the cursor is in, or the element. */
  focused(): Promise<string> {
    return this.page.evaluate(
      "document.activeElement.getAttribute('name') ?? document.activeElement.localName",
    );
  }

  /** @param path with its query */
  async arrivesAt(path: string): Promise<void> {
    await expect
      .poll(() => {
        const { pathname, search, hash } = new URL(this.page.url());
        return `${pathname}${search}${hash}`;
      })
      .toBe(path);
  }
}
