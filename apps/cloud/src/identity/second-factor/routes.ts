import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { enrolleeOf } from '../../http/guards.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { ServerPlatform } from '../../platform.ts';
import {
  addPasskey,
  confirmAuthenticatorApp,
  getSecondFactor,
  removeAuthenticatorApp,
  removePasskey,
  replaceRecoveryCodes,
  startAuthenticatorApp,
  startPasskey,
} from './enrolment.ts';
import { relyingPartyOf } from './relying-party.ts';

export function secondFactorRoutes(api: Api, platform: ServerPlatform): void {
  serveUseCases(api, platform, { getSecondFactor });

  api.serve(cloudOperations.startAuthenticatorApp, (request) =>
    startAuthenticatorApp(platform, enrolleeOf(request), request),
  );

  api.serve(cloudOperations.confirmAuthenticatorApp, (request) =>
    confirmAuthenticatorApp(platform, enrolleeOf(request), request),
  );

  api.serve(cloudOperations.removeAuthenticatorApp, (request) =>
    removeAuthenticatorApp(platform, enrolleeOf(request)),
  );

  api.serve(cloudOperations.startPasskey, async (request) =>
    startPasskey(platform, enrolleeOf(request), await relyingPartyOf(platform, request)),
  );

  api.serve(cloudOperations.addPasskey, (request) => addPasskey(platform, enrolleeOf(request), request));

  api.serve(cloudOperations.removePasskey, (request) =>
    removePasskey(platform, enrolleeOf(request), request),
  );

  api.serve(cloudOperations.replaceRecoveryCodes, (request) =>
    replaceRecoveryCodes(platform, enrolleeOf(request)),
  );
}
