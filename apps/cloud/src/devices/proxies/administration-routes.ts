import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { Unprocessable } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { callerOf } from '../../http/guards.ts';
import { requireOperator } from '../../organizations/organizations/policy.ts';
import type { ProxyAdministration } from './administration.ts';

/** Operations for operators. */
export function proxyAdministrationRoutes(api: Api, proxies: ProxyAdministration): void {
  const setDrain = async (caller: Caller, name: string, isWanted: boolean) => {
    requireOperator(caller);
    const { proxy } = await proxies.setDrainWanted(actorOf(caller), name, isWanted);
    return proxy;
  };

  api.serve(cloudOperations.listProxies, async (request) => {
    requireOperator(callerOf(request));
    return proxies.list();
  });

  api.serve(cloudOperations.drainProxy, (request) => setDrain(callerOf(request), request.params.name, true));

  api.serve(cloudOperations.undrainProxy, (request) =>
    setDrain(callerOf(request), request.params.name, false),
  );

  api.serve(cloudOperations.forgetProxy, async (request) => {
    const caller = callerOf(request);
    requireOperator(caller);
    const forgotten = await proxies.forget(actorOf(caller), request.params.name);
    if (!forgotten) throw new Unprocessable('The proxy is still heard of: end it first');
  });
}
