import type { DeviceConfiguration, DeviceConfigurationChange } from '@heliograph/contracts';
import type { CallOptions } from '../http/call-options.ts';
import type { DeviceConnection } from './connection.ts';

/** The configuration file of a device. Requires the right to configure. */
export interface Configuration {
  get(options?: CallOptions): Promise<DeviceConfiguration>;
  /**
   * Changes what is named and leaves the rest as it is. It takes effect within seconds, in which the device is away.
   *
   * @throws ApiError with status 422 and `errors` by dotted path, such as `connections.0.bus`; then nothing changed
   */
  change(change: DeviceConfigurationChange): Promise<DeviceConfiguration>;
  /** Makes the caller the author of a suspended delegation, which takes effect again. @throws ApiError with status 404 */
  keepDelegation(id: string): Promise<DeviceConfiguration>;
  /** Removes a delegation. It takes effect as a change does. @throws ApiError with status 404 */
  endDelegation(id: string): Promise<DeviceConfiguration>;
}

/** @internal */
export const configurationOf = (device: DeviceConnection): Configuration => ({
  get: (options) => device.json('GET /api/v1/configuration', options),
  keepDelegation: (id) => device.json(`POST /api/v1/delegations/${encodeURIComponent(id)}/keep`),
  endDelegation: (id) => device.json(`DELETE /api/v1/delegations/${encodeURIComponent(id)}`),
  change: (change) => device.json('PATCH /api/v1/configuration', {}, change),
});
