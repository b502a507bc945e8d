import { deepEqual, equal } from 'node:assert/strict';
import type { Step } from '../step.ts';
import { until } from '../until.ts';
import { readStatuses } from './site-request.ts';

export const revokedToken: Step = {
  name: 'revoked-token',
  title: 'a token that its owner revokes reads nothing any more, at the cloud, the proxy and the device',
  async run(live) {
    const { id } = live.system.run.site;
    const owner = await live.signedIn();
    const made = await owner.createToken({
      name: 'Live run',
      scopes: ['sites:read_all', 'sites:write_all'],
      organization_id: 'none',
      expires_at: null,
    });
    const program = live.cloud(made.token);
    const authorization = await program.authorizeSite({ id });
    deepEqual(await readStatuses(live, authorization), [200, 200]);
    await owner.revokeToken({ id: made.id });
    const refusal = await program.listSites().catch((error: { status?: number }) => error.status);
    equal(refusal, 401);
    await until('proxy and device refused the site token', async () =>
      (await readStatuses(live, authorization)).every((status) => status === 401),
    );
    deepEqual(await readStatuses(live, await owner.authorizeSite({ id })), [200, 200]);
    await owner.signOut();
  },
};
