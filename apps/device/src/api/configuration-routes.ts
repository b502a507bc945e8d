import {
  DeviceConfiguration,
  DeviceConfigurationChange,
  ErrorBody,
  ValidationErrorBody,
} from '@heliograph/contracts';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import type { Admit } from './admission.ts';
import type { ConfigurationFile } from './page-operations.ts';

const PATH = '/api/v1/configuration';

/** The configuration of the device, for who may change it. */
export function configurationRoutes(
  app: FastifyInstance,
  admitConfiguration: Admit,
  configuration: ConfigurationFile,
): void {
  app.get(
    PATH,
    {
      onRequest: admitConfiguration,
      schema: { response: { 200: DeviceConfiguration, '4xx': ErrorBody } },
    },
    (): Promise<DeviceConfiguration> => configuration.get(),
  );

  app.patch<{ Body: DeviceConfigurationChange }>(
    PATH,
    {
      onRequest: admitConfiguration,
      schema: {
        body: DeviceConfigurationChange,
        response: { 200: DeviceConfiguration, 422: ValidationErrorBody, '4xx': ErrorBody },
      },
    },
    (request): Promise<DeviceConfiguration> =>
      configuration.change(request.body, request.getDecorator<Caller>('caller')),
  );
}
