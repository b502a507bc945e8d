import { createDeviceSession } from '@heliograph/client/device-session';

/** The session at the device that serves these pages. Queries repeat its requests. */
export const deviceSession = createDeviceSession({ origin: location.origin }, { retry: false });
