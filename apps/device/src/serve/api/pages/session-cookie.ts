import type { IncomingHttpHeaders } from 'node:http';
import type { Origin } from '../../../access/caller.ts';
import type { Credentials } from '../../../access/credentials.ts';
import { PAGE_SESSION_S, type PageSessions } from '../../../access/page-sessions.ts';
import { cannotBeRebound, isSameOrigin } from './own-page.ts';

/** The name before it contained the uid; its last sessions end 30 days after an update. */
const FORMER_NAME = 'heliograph_device';

/** Characters of the uid in the name: two devices with the same ones are one in 10^12. */
const UID_LENGTH = 8;

/** Methods that change nothing, with which browsers do not say where a page of the same origin comes from. */
const READS = new Set(['GET', 'HEAD']);

/** The parts of a request that decide whether the browser's cookie counts. */
export interface PageRequest {
  readonly headers: IncomingHttpHeaders;
  /** `Upgrade` for a WebSocket, with which browsers always say where the page comes from. */
  readonly method: string;
  readonly via: Origin['via'];
}

/**
 * The session of a browser that shows this device's own pages, on the network of the home. Its name contains the start of
 * the device's uid: browsers send the cookies of a host to all of its ports, and each may be another device.
 */
export class SessionCookie {
  readonly #name: string;
  readonly #sessions: Pick<PageSessions, 'isGood'>;

  constructor(uid: string, sessions: Pick<PageSessions, 'isGood'>) {
    this.#name = `${FORMER_NAME}_${uid.slice(0, UID_LENGTH)}`;
    this.#sessions = sessions;
  }

  /**
   * The session of a request. The cookie counts for requests of this device's pages alone: browsers add it to those of
   * any page. A read without an origin is one of our own, or one whose page cannot see the answer; changes and
   * WebSockets must name theirs.
   */
  sessionOf({ headers, method, via }: PageRequest): Credentials | undefined {
    const [token] = via === 'lan' ? this.tokensIn(headers.cookie) : [];
    if (token === undefined || !isSameOrigin(headers) || !cannotBeRebound(headers.host ?? ''))
      return undefined;
    if (headers.origin === undefined && !READS.has(method)) return undefined;
    return { kind: 'session', token };
  }

  /** The living sessions of this device that a browser has, whichever page sends them; usually one. */
  tokensIn(cookies: string | undefined): readonly string[] {
    return [this.#name, FORMER_NAME]
      .flatMap((name) => valuesOf(name, cookies))
      .filter((token) => this.#sessions.isGood(token));
  }

  /** `Set-Cookie` that signs a browser in. */
  signIn(token: string, headers: IncomingHttpHeaders): string {
    return setCookie({ name: this.#name, value: token, maxAgeS: PAGE_SESSION_S }, headers);
  }

  /** `Set-Cookie` that makes a browser forget this device's session; the former name may be another device's. */
  signOut(headers: IncomingHttpHeaders): string[] {
    const isFormer = valuesOf(FORMER_NAME, headers.cookie).some((token) => this.#sessions.isGood(token));
    return [this.#name, ...(isFormer ? [FORMER_NAME] : [])].map((name) =>
      setCookie({ name, value: '', maxAgeS: 0 }, headers),
    );
  }
}

function valuesOf(name: string, cookies = ''): string[] {
  return cookies
    .split(';')
    .map((cookie) => cookie.split('='))
    .filter(([found]) => found?.trim() === name)
    .flatMap(([, value]) => (value === undefined ? [] : [value.trim()]));
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeS: number;
}

/** A device speaks plain HTTP; where a server before it adds TLS, the page's origin is https. */
function setCookie({ name, value, maxAgeS }: Cookie, { origin }: IncomingHttpHeaders): string {
  const secure = origin?.startsWith('https://') === true ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict${secure}`;
}
