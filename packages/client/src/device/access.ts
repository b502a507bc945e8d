import { queryString } from '../http/query.ts';
import type { RetryChoice } from '../http/retry.ts';

/** A device reached through its proxy, with what the cloud's authorize operation answers. */
export interface ProxyAccess {
  /** Host name, with the port if it is not the default. */
  readonly host: string;
  readonly token: string;
  readonly siteId: number;
  readonly siteKey: string;
  /**
   * Default: `http` for this machine (`localhost`, `127.*`, `[::1]`), where traffic
   * cannot be intercepted, and `https` everywhere else.
   */
  readonly scheme?: 'http' | 'https';
}

/** A device on the local network, with its own password. */
export interface LanPasswordAccess {
  /** Host name or address, with the port when it is not 80. */
  readonly address: string;
  readonly password: string;
}

/** A device on the local network, with a site token. */
export interface LanTokenAccess {
  /** Host name or address, with the port when it is not 80. */
  readonly address: string;
  readonly token: string;
}

/** A device on the local network, with a session of its pages: a person, where the password alone is a program. */
export interface LanSessionAccess {
  /** A local name or an IP address, with the port when it is not 80. */
  readonly address: string;
  /** The cookie that the sign-in set, as `name=value`. */
  readonly cookie: string;
}

/** The device that serves this page; requests authenticate by cookie. */
export interface OwnPageAccess {
  /** Scheme and host of the page. */
  readonly origin: string;
}

export type DeviceAccess =
  | ProxyAccess
  | LanPasswordAccess
  | LanTokenAccess
  | LanSessionAccess
  | OwnPageAccess;

export interface DeviceClientOptions {
  /** Called when the credentials are refused; what it returns is used from then on. */
  readonly renew?: () => Promise<DeviceAccess>;
  /** Repeats requests that change nothing; false switches that off. A write is never repeated. */
  readonly retry?: RetryChoice;
}

/** Scheme and host of the device's REST API. */
export function baseOf(access: DeviceAccess): string {
  if ('origin' in access) return access.origin;
  return 'host' in access
    ? `${access.scheme ?? schemeFor(access.host)}://${access.host}`
    : `http://${access.address}`;
}

/** Headers that every request to the device carries. */
export function headersOf(access: DeviceAccess): Record<string, string> {
  // Asked for JSON alone, a device refuses without the challenge at which browsers open a dialog of their own.
  if ('origin' in access) return { accept: 'application/json' };
  if ('host' in access) {
    const { token, siteId, siteKey } = access;
    return { authorization: `Bearer ${token}`, 'site-id': String(siteId), 'site-key': siteKey };
  }
  if ('cookie' in access) return { cookie: access.cookie, origin: baseOf(access) };
  return { authorization: 'token' in access ? `Bearer ${access.token}` : basic(access.password) };
}

/** URL of the live stream. The credentials stand in its query, since browsers cannot add headers to it. */
export function streamUrlOf(access: DeviceAccess): string {
  const base = baseOf(access).replace(/^http/, 'ws');
  return `${base}/api/websocket${queryString({ vsn: '2.0.0', ...streamCredentialsOf(access) })}`;
}

function streamCredentialsOf(access: DeviceAccess): Record<string, string | number> {
  if ('origin' in access || 'cookie' in access) return {};
  if ('host' in access) return { token: access.token, site_id: access.siteId, site_key: access.siteKey };
  return 'token' in access ? { token: access.token } : { password: access.password };
}

function schemeFor(host: string): 'http' | 'https' {
  const { hostname } = new URL(`http://${host}`);
  const loopback =
    hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname) || /(^|\.)localhost$/.test(hostname);
  return loopback ? 'http' : 'https';
}

/** HTTP Basic (RFC 7617) with the user name `admin`; the password may hold any character. */
function basic(password: string): string {
  const bytes = new TextEncoder().encode(`admin:${password}`);
  return `Basic ${btoa(String.fromCodePoint(...bytes))}`;
}
