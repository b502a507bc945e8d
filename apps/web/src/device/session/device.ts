import { DeviceClient } from '@heliograph/client';

/** The device that serves these pages; a cookie that no script can read authenticates its requests. Queries repeat them. */
export const device = new DeviceClient({ origin: location.origin }, { retry: false });
