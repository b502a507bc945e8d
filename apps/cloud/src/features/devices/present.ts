import type { DeviceConnectAnswer } from '@heliograph/contracts';

export function presentWaiting(
  status: 'inactive' | 'unregistered',
  retryAfterS: number,
): DeviceConnectAnswer {
  return { status, retry_after_s: retryAfterS };
}

export function presentReady(
  site: { readonly id: number; readonly name: string | null },
  proxy: { readonly name: string; readonly url: string },
  tunnelToken: string,
): DeviceConnectAnswer {
  return {
    status: 'ready',
    site_id: site.id,
    site_name: site.name,
    proxy: { name: proxy.name, url: proxy.url },
    tunnel_token: tunnelToken,
  };
}
