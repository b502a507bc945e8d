import { DeviceConnectAnswer, DeviceConnectBody } from '@heliograph/contracts';
import type { App } from '../../http/app-type.ts';
import type { DeviceService } from './service.ts';

export function deviceRoutes(app: App, devices: DeviceService): void {
  // No token: the body carries the device's own proof.
  app.post(
    '/api/v1/devices/connect',
    { schema: { body: DeviceConnectBody, response: { 200: DeviceConnectAnswer } } },
    ({ body }) => devices.connect(body),
  );
}
