import { SESSION_SCOPES } from '@heliograph/contracts';
import { SESSION_COOKIE } from '../../src/portal/session-cookie.ts';
import type { TestUser } from '../factory.ts';
import type { Answer, Call, TestCloud } from '../test-cloud.ts';

/** Sends requests as a browser at a page of the cloud, with its session cookie. */
export class PortalBrowser {
  /** The token in its cookie. */
  session: string | undefined;
  readonly #cloud: TestCloud;

  constructor(cloud: TestCloud, session?: string) {
    this.#cloud = cloud;
    this.session = session;
  }

  /** A browser with a session. */
  static async of(cloud: TestCloud, { id }: Pick<TestUser, 'id'>): Promise<PortalBrowser> {
    return new PortalBrowser(cloud, await cloud.make.token(id, { kind: 'session', scopes: SESSION_SCOPES }));
  }

  async call<Body = Record<string, unknown>>(route: string, call: Call = {}): Promise<Answer<Body>> {
    const isRead = route.startsWith('GET ');
    const answer = await this.#cloud.call<Body>(route, {
      ...(!isRead && call.raw === undefined && { body: {} }),
      ...call,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(this.session !== undefined && { cookie: `${SESSION_COOKIE}=${this.session}` }),
        ...(!isRead && { origin: this.#cloud.url }),
        ...call.headers,
      },
    });
    const [, token, lifetime] =
      /^__Host-heliograph_session=([^;]*); Max-Age=(\d+);/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
    if (token !== undefined) this.session = lifetime === '0' ? undefined : token;
    return answer;
  }
}
