import type { ProbeBody, ProbeReport, ProbeStarted } from '@heliograph/contracts';
import type { CallOptions } from '../http/call-options.ts';
import type { DeviceConnection } from './connection.ts';

/** Searches for hardware at a device. A probe only reads. */
export class Probes {
  readonly #device: DeviceConnection;

  constructor(device: DeviceConnection) {
    this.#device = device;
  }

  /**
   * Starts a probe of all ports, or of the given one.
   *
   * @throws ApiError with status 409 while another probe runs, 422 for an unknown port or driver
   */
  async start(input: ProbeBody = {}): Promise<ProbeStarted> {
    return (await this.#device.json({ method: 'POST', path: '/api/v1/probe', body: input })) as ProbeStarted;
  }

  /** How far it is. @throws ApiError with status 404 when the device knows of another one, or was started anew */
  async get(id: string, { signal }: CallOptions = {}): Promise<ProbeReport> {
    return (await this.#device.json({ path: pathOf(id), signal })) as ProbeReport;
  }

  async cancel(id: string): Promise<void> {
    await this.#device.text({ method: 'DELETE', path: pathOf(id) });
  }
}

const pathOf = (id: string): string => `/api/v1/probe/${encodeURIComponent(id)}`;
