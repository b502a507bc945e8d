import type { Api } from '@heliograph/http/api';
import { serveUseCases } from '../../http/use-cases.ts';
import {
  createActivationCode,
  createServiceActivationCode,
  listActivationCodes,
  listServiceActivationCodes,
  revokeActivationCode,
  revokeServiceActivationCode,
} from './codes.ts';
import {
  type ActivationPlatform,
  declineActivationRequest,
  listActivationRequests,
  requestActivation,
} from './requests.ts';

export function activationRoutes(api: Api, platform: ActivationPlatform): void {
  serveUseCases(api, platform, {
    ...{ requestActivation, listActivationRequests, declineActivationRequest },
    ...{ createActivationCode, listActivationCodes, revokeActivationCode },
    ...{ createServiceActivationCode, listServiceActivationCodes, revokeServiceActivationCode },
  });
}
