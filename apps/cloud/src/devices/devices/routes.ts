import { cloudOperations, internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { clientAddressFrom } from '../../common/client-address.ts';
import { callerOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { DevicePlatform } from '../platform.ts';
import type { ConnectService } from './connect.ts';
import {
  activateDevice,
  getDevice,
  listDevices,
  provisionDevice,
  restoreDevice,
  revokeDevice,
} from './devices.ts';

export function deviceRoutes(api: Api, platform: DevicePlatform, connecting: ConnectService): void {
  api.serve(internalOperations.connectDevice, (request) =>
    connecting.connect(request.body, clientAddressFrom(request.ip)),
  );

  api.serve(cloudOperations.provisionDevice, async (request, reply) => {
    const { device, created } = await provisionDevice(platform, callerOf(request), request);
    return reply.code(created ? 201 : 200).send(device);
  });

  serveUseCases(api, platform, { listDevices, getDevice, activateDevice, revokeDevice, restoreDevice });
}
