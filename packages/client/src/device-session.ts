import type { DeviceAccess, DeviceClientOptions } from './device/access.ts';
import { DeviceConnection } from './device/connection.ts';
import { type PageSession, sessionOf } from './device/session.ts';

/** The session of `DeviceClient` alone: the sign-in of a device's pages loads it without the stream. */
export function createDeviceSession(access: DeviceAccess, options: DeviceClientOptions = {}): PageSession {
  return sessionOf(new DeviceConnection(access, options));
}
