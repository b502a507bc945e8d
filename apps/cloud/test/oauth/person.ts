import { SESSION_SCOPES } from '@heliograph/contracts';
import { SESSION_COOKIE } from '../../src/portal/session-cookie.ts';
import type { TestUser } from '../factory.ts';
import type { TestCloud } from '../test-cloud.ts';
import { BrowserJar } from './browser-jar.ts';

/** A person with a site and a browser that is signed in. */
export class TestPerson {
  readonly user: TestUser;
  readonly site: { readonly id: number; readonly name: string | null };
  readonly browser: BrowserJar;

  private constructor(user: TestUser, site: TestPerson['site'], browser: BrowserJar) {
    this.user = user;
    this.site = site;
    this.browser = browser;
  }

  /** @param reached by which of several clouds on one database, if not the one that makes the records */
  static async make(cloud: TestCloud, reached: Pick<TestCloud, 'url'> = cloud): Promise<TestPerson> {
    const user = await cloud.make.user();
    const site = await cloud.make.site({ ownerId: user.id });
    const browser = new BrowserJar(reached);
    const session = await cloud.make.token(user.id, { kind: 'session', scopes: SESSION_SCOPES });
    browser.keep(SESSION_COOKIE, session);
    return new TestPerson(user, site, browser);
  }

  /** Follows an application's link and allows what it asks. @returns where the browser ends */
  async allow(authorizationUrl: string, siteId: number | null = this.site.id): Promise<URL> {
    return this.#follow(await this.#answer(authorizationUrl, 'allow', { site_id: siteId }));
  }

  /** Follows an application's link and declines. @returns where the browser ends */
  async deny(authorizationUrl: string): Promise<URL> {
    return this.#follow(await this.#answer(authorizationUrl, 'deny', {}));
  }

  /** Allows what an application asks. @returns the code that it gets */
  async code(authorizationUrl: string): Promise<string> {
    const { searchParams } = await this.allow(authorizationUrl);
    const code = searchParams.get('code');
    if (code === null) throw new Error(`No code came: ${searchParams}`);
    return code;
  }

  /** Follows an application's link and allows what it asks. @returns where the browser is to go next */
  consent(authorizationUrl: string): Promise<string> {
    return this.#answer(authorizationUrl, 'allow', { site_id: this.site.id });
  }

  async #follow(location: string): Promise<URL> {
    return locationOf(await this.browser.go('GET', location));
  }

  async #answer(authorizationUrl: string, answer: 'allow' | 'deny', body: object): Promise<string> {
    const consent = locationOf(await this.browser.go('GET', authorizationUrl));
    const answered = await this.browser.go('POST', `${consent.pathname}/${answer}`, body);
    if (!answered.ok) throw new Error(`The consent page got ${answered.status}: ${await answered.text()}`);
    const { location } = (await answered.json()) as { location: string };
    return location;
  }
}

/** The target of a redirect. */
export function locationOf(response: Response): URL {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`Answered with ${response.status}, and no redirect`);
  return new URL(location, response.url);
}
