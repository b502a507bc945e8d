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
}

/** @internal */
export const configurationOf = (device: DeviceConnection): Configuration => ({
  get: (options) => device.json('GET /api/v1/configuration', options),
  change: (change) => device.json('PATCH /api/v1/configuration', {}, change),
});
