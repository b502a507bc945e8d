import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import type { Audit } from '../../../access/audit/audit.ts';
import type { TariffStore } from '../../../energy/tariffs/tariff-store.ts';
import { callerOf } from '../guards.ts';

export interface TariffRouteOptions {
  readonly tariffs: TariffStore;
  readonly audit: Audit;
}

/** The prices of energy. */
export function tariffRoutes(api: Api, { tariffs, audit }: TariffRouteOptions): void {
  const shown = () => ({ tariffs: [...tariffs.tariffs] });

  api.serve(deviceOperations.listTariffs, shown);

  api.serve(deviceOperations.setTariffs, (request) => {
    const datesBefore = datesOf(tariffs);
    tariffs.set(request.body);
    audit
      .begin('tariffs.change', callerOf(request), {
        changes: [{ field: 'tariffs', old_value: datesBefore, new_value: datesOf(tariffs) }],
      })
      .end('ok');
    return shown();
  });
}

/** The first days of the tariffs. */
function datesOf({ tariffs }: TariffStore): string | null {
  return tariffs.length === 0 ? null : tariffs.map(({ valid_from: date }) => date).join(', ');
}
