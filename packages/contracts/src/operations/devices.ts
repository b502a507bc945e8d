import { Type } from 'typebox';
import {
  ActivationCode,
  ActivationCodeParams,
  ActivationRequest,
  CreateActivationCodeBody,
  CreatedActivationCode,
  RequestActivationAnswer,
  RequestActivationBody,
  ServiceActivationCodeParams,
} from '../schemas/activation.ts';
import {
  ActivateDeviceBody,
  DeviceParams,
  DeviceQuery,
  DeviceSummary,
  ListedDevice,
  ProvisionDeviceBody,
} from '../schemas/devices.ts';
import { OrganizationParams } from '../schemas/organizations.ts';
import { PageQuery } from '../schemas/page.ts';
import { NoContent, operations } from './operation.ts';

export const deviceRecordOperations = operations('devices', {
  listDevices: {
    route: 'GET /api/v1/devices',
    summary: 'The devices of the organizations that the caller works for; for operators all',
    requires: ['sites:read_all'],
    query: DeviceQuery,
    answers: { 200: Type.Array(ListedDevice) },
  },

  getDevice: {
    route: 'GET /api/v1/devices/{uid}',
    summary: 'One device',
    requires: ['sites:read_all'],
    params: DeviceParams,
    answers: { 200: DeviceSummary },
    refusals: [404, 429],
  },

  provisionDevice: {
    route: 'POST /api/v1/devices',
    summary: 'Make a device known before its first call; for operators',
    requires: ['sites:write_all'],
    body: ProvisionDeviceBody,
    answers: { 200: DeviceSummary, 201: DeviceSummary },
    refusals: [422],
  },

  activateDevice: {
    route: 'POST /api/v1/devices/{uid}/activate',
    summary: 'Activate a device, so that it can be registered',
    requires: ['sites:write_all'],
    params: DeviceParams,
    body: ActivateDeviceBody,
    isBodyOptional: true,
    answers: { 200: DeviceSummary },
    refusals: [404, 422, 429],
  },

  revokeDevice: {
    route: 'POST /api/v1/devices/{uid}/revoke',
    summary: 'Trust a device no more: it is refused and offline',
    requires: ['sites:write_all'],
    params: DeviceParams,
    answers: { 200: DeviceSummary },
    refusals: [404, 429],
  },

  restoreDevice: {
    route: 'POST /api/v1/devices/{uid}/restore',
    summary: 'Trust a revoked device again',
    requires: ['sites:write_all'],
    params: DeviceParams,
    answers: { 200: DeviceSummary },
    refusals: [404, 429],
  },

  requestActivation: {
    route: 'POST /api/v1/sites/request_activation',
    summary: 'Register a device, activating it if that may be, or ask for its activation',
    requires: ['sites:write_all'],
    body: RequestActivationBody,
    answers: { 200: RequestActivationAnswer },
    refusals: [404, 422, 429],
    errorShape: 'nested',
  },

  listActivationRequests: {
    route: 'GET /api/v1/activation_requests',
    summary: 'Who waits for the activation of a device, the longest wait first',
    requires: ['sites:read_all'],
    query: PageQuery,
    answers: { 200: Type.Array(ActivationRequest) },
  },

  declineActivationRequest: {
    route: 'DELETE /api/v1/activation_requests/{uid}',
    summary: 'Decline to activate a device, for which somebody may ask again',
    requires: ['sites:write_all'],
    params: DeviceParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  createActivationCode: {
    route: 'POST /api/v1/organizations/{id}/activation_codes',
    summary: 'Make a code that activates devices',
    requires: ['sites:write_all'],
    params: OrganizationParams,
    body: CreateActivationCodeBody,
    isBodyOptional: true,
    invalidFields: 422,
    answers: { 201: CreatedActivationCode },
    refusals: [404],
  },

  listActivationCodes: {
    route: 'GET /api/v1/organizations/{id}/activation_codes',
    summary: 'The activation codes of an organization, without the codes themselves, the newest first',
    requires: ['sites:read_all'],
    params: OrganizationParams,
    query: PageQuery,
    answers: { 200: Type.Array(ActivationCode) },
    refusals: [404],
  },

  revokeActivationCode: {
    route: 'DELETE /api/v1/organizations/{id}/activation_codes/{code_id}',
    summary: 'Withdraw an activation code',
    requires: ['sites:write_all'],
    params: ActivationCodeParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  createServiceActivationCode: {
    route: 'POST /api/v1/activation_codes',
    summary: 'Make a code that activates devices of no organization; for operators',
    requires: ['sites:write_all'],
    body: CreateActivationCodeBody,
    isBodyOptional: true,
    invalidFields: 422,
    answers: { 201: CreatedActivationCode },
  },

  listServiceActivationCodes: {
    route: 'GET /api/v1/activation_codes',
    summary: 'The activation codes of no organization, the newest first; for operators',
    requires: ['sites:read_all'],
    query: PageQuery,
    answers: { 200: Type.Array(ActivationCode) },
  },

  revokeServiceActivationCode: {
    route: 'DELETE /api/v1/activation_codes/{code_id}',
    summary: 'Withdraw an activation code of no organization; for operators',
    requires: ['sites:write_all'],
    params: ServiceActivationCodeParams,
    answers: { 204: NoContent },
    refusals: [404],
  },
});
