import type { TariffList, TariffListBody } from '@heliograph/contracts';
import type { DeviceClient } from './device-client.ts';

/**
 * The prices of energy at a site, in the order of their first days. No method of DeviceClient: first views of pages load that
 * class, and few need this.
 */
export function listTariffs(client: DeviceClient, signal?: AbortSignal): Promise<TariffList> {
  return client.connection.json('GET /api/v1/tariffs', { signal });
}

/**
 * Sets the prices of energy: the whole list.
 *
 * @throws ApiError with status 422 for tariffs that contradict themselves, or would change what days that are over cost; 403 for
 *   those who may not configure the device
 */
export function setTariffs(client: DeviceClient, tariffs: TariffListBody): Promise<TariffList> {
  return client.connection.json('PUT /api/v1/tariffs', {}, tariffs);
}
