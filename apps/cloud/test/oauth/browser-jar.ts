import type { TestCloud } from '../test-cloud.ts';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** A browser without a screen: it keeps cookies by name and path, and follows no redirects. */
export class BrowserJar {
  readonly #cloud: Pick<TestCloud, 'url'>;
  readonly #cookies = new Map<string, Cookie>();

  constructor(cloud: Pick<TestCloud, 'url'>) {
    this.#cloud = cloud;
  }

  async go(method: 'GET' | 'POST', url: string, body?: unknown): Promise<Response> {
    const { origin, pathname } = new URL(url, this.#cloud.url);
    if (origin !== this.#cloud.url) throw new Error(`${url} is not of the cloud`);
    const cookie = [...this.#cookies.values()]
      .filter(({ path }) => pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const response = await fetch(new URL(url, this.#cloud.url), {
      method,
      redirect: 'manual',
      headers: {
        cookie,
        ...(method === 'POST' && { origin }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const header of response.headers.getSetCookie()) this.#take(header);
    return response;
  }

  /** Has a cookie as if it had come before. */
  keep(name: string, value: string, path = '/'): void {
    this.#cookies.set(`${name} ${path}`, { name, value, path });
  }

  /** Cookies that scripts of the host and eavesdroppers could read. */
  get cookies(): readonly string[] {
    return [...this.#cookies.values()].map(({ value }) => value);
  }

  #take(header: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
    const [, path = '/'] = /;\s*path=([^;]+)/i.exec(header) ?? [];
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(header)) this.#cookies.delete(`${name} ${path}`);
    else this.keep(name, value, path);
  }
}
