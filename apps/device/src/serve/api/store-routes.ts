import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import { AppError, ValidationError } from '@heliograph/kit';
import type { DevicePassword } from '../../access/device-password.ts';
import type { StoreProblem } from '../../storage/open-store.ts';
import type { StoreLosses } from '../../storage/store-loss.ts';
import { requireFirstRun } from './first-run.ts';
import { originOf } from './origin.ts';
import type { PageOperations } from './page-operations.ts';

export interface StoreRouteOptions {
  readonly password: DevicePassword;
  readonly storeProblem: StoreProblem | null;
  readonly startStore: NonNullable<PageOperations['startStore']>;
}

/** A new store in place of one that cannot be used, with the password where that is known. */
export function storeRoutes(api: Api, { password, storeProblem, startStore }: StoreRouteOptions): void {
  api.serve(deviceOperations.startStore, async (request) => {
    const { body, raw } = request;
    if (storeProblem === null) throw new Refused('The store of this device can be used');
    if (!password.isSet) await requireFirstRun(request);
    else if (!(await password.matches(body.password ?? '', originOf(raw).address))) {
      throw new ValidationError({ password: ['is not the password of this device'] });
    }
    if (!storeProblem.hasIdentity && body.new_identity !== true) {
      throw new Refused(
        'There is no copy of the identity: with a new store this device is a new one to the cloud',
      );
    }
    await startStore();
  });
}

export function storeLossRoutes(api: Api, losses: Pick<StoreLosses, 'dismiss'>): void {
  api.serve(deviceOperations.dismissStoreLoss, async () => losses.dismiss());
}

class Refused extends AppError {
  constructor(message: string) {
    super(message, { code: 'store', status: 409 });
  }
}
