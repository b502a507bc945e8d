import { deviceOperations } from '@heliograph/contracts/operations/device';
import type { Api } from '@heliograph/http/api';
import { NotFound } from '@heliograph/kit';
import { callerOf } from './guards.ts';
import type { ProbeOperations } from './page-operations.ts';

/** Looks for hardware, which takes minutes: a probe is started, and then asked for. */
export function probeRoutes(api: Api, probes: ProbeOperations): void {
  api.serve(deviceOperations.startProbe, async (request) => ({
    id: await probes.start(request.body, callerOf(request)),
  }));

  api.serve(deviceOperations.getProbe, (request) => {
    const report = probes.report(request.params.id, callerOf(request));
    if (report === undefined) throw new NotFound();
    return report;
  });

  api.serve(deviceOperations.cancelProbe, async (request) => {
    const { id } = request.params;
    if (probes.report(id, callerOf(request)) === undefined) throw new NotFound();
    await probes.cancel(id);
  });
}
