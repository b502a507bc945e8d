import { DeviceClient } from '@heliograph/client';

/** The device that these pages come from; a cookie that no script can read tells it who asks. */
export const device = new DeviceClient({ origin: location.origin });
