import type { SiteAuthorization } from '@heliograph/contracts';
import type { cloudOperations } from '@heliograph/contracts/operations';
import { cloudRoutes } from '@heliograph/contracts/operations/cloud.static';
import { type ApiOptions, methodsOf } from './api/api.ts';
import type { CloudMethods } from './api/cloud-methods.ts';
import type { ProxyAccess } from './device/access.ts';
import { DeviceClient } from './device-client.ts';
import type { Fetch } from './http/call.ts';
import type { CallOptions } from './http/call-options.ts';
import type { RetryChoice } from './http/retry.ts';

/** How long the cloud may take to answer, in milliseconds. */
const TIMEOUT_MS = 15_000;

export interface CloudClientOptions {
  /** Base URL of the cloud, such as `https://cloud.example.com`; `/portal` on pages of the cloud itself. */
  readonly url: string;
  /** API, session or OAuth token; left out for what needs none, and on pages of the cloud itself, which have a cookie. */
  readonly token?: string;
  /** Repeats requests that change nothing, of its devices too; false switches that off. */
  readonly retry?: RetryChoice;
  /** In place of the global `fetch`, for requests to the cloud. */
  readonly fetch?: Fetch;
}

export interface SiteDeviceOptions {
  /** The scheme of a proxy host where the rule of {@link ProxyAccess} is not right. */
  readonly schemeOf?: (host: string) => 'http' | 'https' | undefined;
}

/**
 * The cloud's API: a method for each operation, named by its `operationId`, which takes the fields of path, query and
 * body in one object. See the reference at the cloud's `/docs`. For live data see {@link device}.
 *
 * Every method throws ApiError when the cloud refuses, ConnectionError when it cannot be reached.
 */
export interface CloudClient extends CloudMethods {
  readonly url: string;
  /**
   * The site's device, through its proxy. Asks for a new token by itself when the old one has expired, and
   * finds the device again when it has moved to another proxy.
   */
  device(siteId: number, options?: SiteDeviceOptions & CallOptions): Promise<DeviceClient>;
}

export function createCloudClient({ url, token, retry = {}, fetch }: CloudClientOptions): CloudClient {
  const base = url.replace(/\/+$/, '');
  const api: ApiOptions = {
    base,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    timeoutMs: TIMEOUT_MS,
    retry,
    fetch,
  };
  const methods = methodsOf<typeof cloudOperations>(cloudRoutes, api);
  return {
    ...methods,
    url: base,
    async device(siteId, { schemeOf, signal } = {}) {
      const authorize = async (options?: CallOptions): Promise<ProxyAccess> =>
        proxyAccess(await methods.authorizeSite({ id: siteId }, options), schemeOf);
      const renew = () => authorize();
      return new DeviceClient(await authorize({ signal }), { renew, retry });
    },
  };
}

function proxyAccess(
  { host, token, site_id: siteId, site_key: siteKey }: SiteAuthorization,
  schemeOf: SiteDeviceOptions['schemeOf'],
): ProxyAccess {
  const scheme = schemeOf?.(host);
  return { host, token, siteId, siteKey, ...(scheme === undefined ? {} : { scheme }) };
}
