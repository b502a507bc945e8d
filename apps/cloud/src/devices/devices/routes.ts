import { cloudOperations, internalOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { actorOf } from '../../access/caller.ts';
import { clientAddressFrom } from '../../common/client-address.ts';
import { callerOf } from '../../http/guards.ts';
import type { ConnectService } from './connect.ts';
import type { DeviceAccess, DeviceService } from './service.ts';

export interface DeviceRouteServices {
  readonly connecting: ConnectService;
  readonly devices: DeviceService;
  readonly deviceAccess: DeviceAccess;
}

export function deviceRoutes(api: Api, services: DeviceRouteServices): void {
  const { connecting, devices, deviceAccess: access } = services;

  api.serve(internalOperations.connectDevice, (request) =>
    connecting.connect(request.body, clientAddressFrom(request.ip)),
  );

  api.serve(cloudOperations.listDevices, async (request) =>
    devices.list(await access.reachOf(callerOf(request)), request.query, callerOf(request).locale),
  );

  api.serve(cloudOperations.getDevice, async (request) => {
    await access.requireVisible(callerOf(request), request.params.uid);
    return devices.show(request.params.uid);
  });

  api.serve(cloudOperations.provisionDevice, async (request, reply) => {
    const caller = callerOf(request);
    const { organization_id: organizationId = null, activate = false } = request.body;
    await access.requireProvisioner(caller);
    const provision = { uid: request.body.uid, organizationId, activate };
    const { device, created } = await devices.provision(actorOf(caller), provision);
    return reply.code(created ? 201 : 200).send(device);
  });

  api.serve(cloudOperations.activateDevice, async (request) => {
    const caller = callerOf(request);
    const { uid } = request.params;
    const organizationId = await access.requireActivatable(caller, uid, request.body.organization_id);
    return devices.activate(actorOf(caller), uid, organizationId);
  });

  api.serve(cloudOperations.revokeDevice, async (request) => {
    const caller = callerOf(request);
    await access.requireManaged(caller, request.params.uid);
    return devices.revoke(actorOf(caller), request.params.uid);
  });

  api.serve(cloudOperations.restoreDevice, async (request) => {
    const caller = callerOf(request);
    await access.requireManaged(caller, request.params.uid);
    return devices.restore(actorOf(caller), request.params.uid);
  });
}
