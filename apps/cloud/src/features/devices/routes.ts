import {
  ActivateDeviceBody,
  DeviceConnectAnswer,
  DeviceConnectBody,
  DeviceParams,
  DeviceQuery,
  DeviceSummary,
  ProvisionDeviceBody,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import { actorOf } from '../../access/caller.ts';
import { clientAddressFrom } from '../../common/client-address.ts';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import { optionalBody } from '../../http/optional-body.ts';
import type { ConnectService } from './connect.ts';
import type { DeviceAccess, DeviceService } from './service.ts';

export interface DeviceRouteServices {
  readonly connecting: ConnectService;
  readonly devices: DeviceService;
  readonly deviceAccess: DeviceAccess;
}

export function deviceRoutes(app: App, services: DeviceRouteServices, guards: Guards): void {
  const { connecting, devices, deviceAccess: access } = services;

  // No token: the body carries the device's own proof.
  app.post(
    '/api/v1/devices/connect',
    {
      config: { cleansText: true },
      schema: {
        summary: 'A device proves its key, is enrolled, and learns where to dial',
        tags: ['internal'],
        operationId: 'connectDevice',
        body: DeviceConnectBody,
        response: { 200: DeviceConnectAnswer },
      },
    },
    (request) => connecting.connect(request.body, clientAddressFrom(request.ip)),
  );

  app.get(
    '/api/v1/devices',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: 'The devices of the organizations that the caller works for; for operators all',
        tags: ['devices'],
        operationId: 'listDevices',
        querystring: DeviceQuery,
        response: { 200: Type.Array(DeviceSummary) },
      },
    },
    async (request) => devices.list(await access.reachOf(callerOf(request)), request.query),
  );

  app.get(
    '/api/v1/devices/:uid',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: 'One device',
        tags: ['devices'],
        operationId: 'getDevice',
        params: DeviceParams,
        response: { 200: DeviceSummary },
      },
    },
    async (request) => {
      await access.requireVisible(callerOf(request), request.params.uid);
      return devices.show(request.params.uid);
    },
  );

  app.post(
    '/api/v1/devices',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Make a device known before its first call; for operators',
        tags: ['devices'],
        operationId: 'provisionDevice',
        body: ProvisionDeviceBody,
        response: { 200: DeviceSummary, 201: DeviceSummary },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { organization_id: organizationId = null, activate = false } = request.body;
      await access.requireProvisioner(caller);
      const provision = { uid: request.body.uid.trim(), organizationId, activate };
      const { device, created } = await devices.provision(actorOf(caller), provision);
      return reply.code(created ? 201 : 200).send(device);
    },
  );

  app.post(
    '/api/v1/devices/:uid/activate',
    {
      onRequest: guards.scope('sites:write_all'),
      preValidation: optionalBody,
      schema: {
        summary: 'Activate a device, so that it can be registered',
        tags: ['devices'],
        operationId: 'activateDevice',
        params: DeviceParams,
        body: ActivateDeviceBody,
        response: { 200: DeviceSummary },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const { uid } = request.params;
      const organizationId = await access.requireActivatable(caller, uid, request.body.organization_id);
      return devices.activate(actorOf(caller), uid, organizationId);
    },
  );

  app.post(
    '/api/v1/devices/:uid/revoke',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Trust a device no more: it is refused and offline',
        tags: ['devices'],
        operationId: 'revokeDevice',
        params: DeviceParams,
        response: { 200: DeviceSummary },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      await access.requireManaged(caller, request.params.uid);
      return devices.revoke(actorOf(caller), request.params.uid);
    },
  );

  app.post(
    '/api/v1/devices/:uid/restore',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Trust a revoked device again',
        tags: ['devices'],
        operationId: 'restoreDevice',
        params: DeviceParams,
        response: { 200: DeviceSummary },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      await access.requireManaged(caller, request.params.uid);
      return devices.restore(actorOf(caller), request.params.uid);
    },
  );
}
