import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf, enrolleeOf } from '../../http/guards.ts';
import type { RelyingParties, SecondFactorService } from './service.ts';

export interface SecondFactorRouteServices {
  readonly secondFactors: SecondFactorService;
  readonly relyingParties: RelyingParties;
}

export function secondFactorRoutes(
  api: Api,
  { secondFactors: { enrolment }, relyingParties }: SecondFactorRouteServices,
): void {
  api.serve(cloudOperations.getSecondFactor, (request) => enrolment.describe(callerOf(request).userId));

  api.serve(cloudOperations.startAuthenticatorApp, (request) =>
    enrolment.startApp(enrolleeOf(request), request.body),
  );

  api.serve(cloudOperations.confirmAuthenticatorApp, (request) =>
    enrolment.confirmApp(enrolleeOf(request), request.body.otp),
  );

  api.serve(cloudOperations.removeAuthenticatorApp, async (request) => {
    await enrolment.removeApp(enrolleeOf(request));
  });

  api.serve(cloudOperations.startPasskey, async (request) =>
    enrolment.startPasskey(enrolleeOf(request), await relyingParties.of(request)),
  );

  api.serve(cloudOperations.addPasskey, (request) => enrolment.addPasskey(enrolleeOf(request), request.body));

  api.serve(cloudOperations.removePasskey, async (request) => {
    await enrolment.removePasskey(enrolleeOf(request), request.params.id);
  });

  api.serve(cloudOperations.replaceRecoveryCodes, (request) =>
    enrolment.replaceRecoveryCodes(enrolleeOf(request)),
  );
}
