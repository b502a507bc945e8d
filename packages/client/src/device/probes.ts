import type { ProbeBody, ProbeReport, ProbeStarted } from '@heliograph/contracts';
import type { CallOptions } from '../http/call-options.ts';
import type { DeviceConnection } from './connection.ts';

/** Searches for hardware at a device. A probe only reads. */
export interface Probes {
  /**
   * Starts a probe of all ports, or of the given one.
   *
   * @throws ApiError with status 409 while another probe runs, 422 for an unknown port or driver
   */
  start(input?: ProbeBody): Promise<ProbeStarted>;
  /** How far it is. @throws ApiError with status 404 when the device knows of another one, or was started again */
  get(id: string, options?: CallOptions): Promise<ProbeReport>;
  cancel(id: string): Promise<void>;
}

/** @internal */
export const probesOf = (device: DeviceConnection): Probes => ({
  start: (body = {}) => device.json('POST /api/v1/probe', {}, body),
  get: (id, options) => device.json(`GET /api/v1/probe/${encodeURIComponent(id)}`, options),
  async cancel(id) {
    await device.text(`DELETE /api/v1/probe/${encodeURIComponent(id)}`);
  },
});
