import type { DeviceConfiguration, DeviceConfigurationChange } from '@heliograph/contracts';
import type { CallOptions } from '../http/call-options.ts';
import type { DeviceConnection } from './connection.ts';

const PATH = '/api/v1/configuration';

/** The configuration file of a device. Requires the right to configure. */
export class Configuration {
  readonly #device: DeviceConnection;

  constructor(device: DeviceConnection) {
    this.#device = device;
  }

  async get({ signal }: CallOptions = {}): Promise<DeviceConfiguration> {
    return (await this.#device.json({ path: PATH, signal })) as DeviceConfiguration;
  }

  /**
   * Changes what is named and leaves the rest as it is. It takes effect within seconds, in which the device is away.
   *
   * @throws ApiError with status 422 and `errors` by dotted path, such as `connections.0.bus`; then nothing changed
   */
  async change(change: DeviceConfigurationChange): Promise<DeviceConfiguration> {
    return (await this.#device.json({ method: 'PATCH', path: PATH, body: change })) as DeviceConfiguration;
  }
}
