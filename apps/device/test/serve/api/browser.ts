import { request } from 'node:http';
import { WebSocket } from 'ws';

/** A browser that shows the pages of one device, as far as its requests show: its cookie, and their origin. */
export class Browser {
  readonly #url: string;
  /** `name=value`, several with `; ` between them, or nothing. */
  cookie: string;
  /** The last `Set-Cookie`. */
  setCookie = '';

  constructor(url: string, cookie = '') {
    this.#url = url;
    this.cookie = cookie;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.#fetch(path, { headers: { ...headers } });
  }

  send(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    return this.#fetch(path, {
      method,
      headers: { origin: this.#url, ...json, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
  }

  /** A request with exactly these headers besides the cookie, also those that `fetch` sets itself. @returns the status */
  raw(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: object,
  ): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(this.#url + path, {
      method,
      headers: { cookie: this.cookie, ...json, ...headers },
      agent: false,
    });
    sent.once('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.once('upgrade', (_answer, socket) => {
      socket.destroy();
      resolve(101);
    });
    sent.once('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }

  async openSocket(): Promise<'open' | 'refused'> {
    const { promise, resolve } = Promise.withResolvers<'open' | 'refused'>();
    const socket = new WebSocket(`${this.#url.replace('http', 'ws')}/api/websocket?vsn=2.0.0`, {
      headers: { cookie: this.cookie, origin: this.#url },
    });
    socket.once('open', () => resolve('open'));
    socket.once('error', () => resolve('refused'));
    const outcome = await promise;
    socket.terminate();
    return outcome;
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), cookie: this.cookie };
    const answer = await fetch(this.#url + path, { ...init, headers, redirect: 'manual' });
    for (const set of answer.headers.getSetCookie()) {
      this.setCookie = set;
      this.cookie = withCookie(this.cookie, set);
    }
    return answer;
  }
}

/** The cookies of a browser after an answer with this `Set-Cookie`. */
function withCookie(cookies: string, set: string): string {
  const [cookie = ''] = set.split(';');
  const [name] = cookie.split('=');
  const others = cookies.split('; ').filter((other) => other !== '' && !other.startsWith(`${name}=`));
  return [...others, ...(cookie.endsWith('=') ? [] : [cookie])].join('; ');
}
