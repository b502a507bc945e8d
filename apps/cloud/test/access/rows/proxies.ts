import type { AccessFixture, Target } from '../fixture.ts';
import { emptyRequest, uniqueName } from '../requests.ts';
import { type AccessRequest, accessRows } from '../row.ts';

/** A proxy without devices. */
async function proxy(_target: Target, { cloud }: AccessFixture): Promise<AccessRequest> {
  const name = uniqueName();
  await cloud.announce(name);
  return { params: { name } };
}

export const PROXY_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
listProxies                 read        403      403      403      403      403      403      403      403      403      403      403      403      403      200      403      403      403      401
drainProxy                  write       403      403      403      403      403      403      403      403      403      403      403      403      403      200      403      403      403      401
undrainProxy                write       403      403      403      403      403      403      403      403      403      403      403      403      403      200      403      403      403      401
forgetProxy                 write       403      403      403      403      403      403      403      403      403      403      403      403      403      204      403      403      403      401
`,
  {
    listProxies: { request: emptyRequest },
    drainProxy: { request: proxy },
    undrainProxy: { request: proxy },
    forgetProxy: {
      request: async (target, fixture) => {
        const request = await proxy(target, fixture);
        const silentSince = new Date(fixture.cloud.clock.now() - 60_000);
        await fixture.cloud.db
          .updateTable('proxies')
          .set({ announced_at: silentSince })
          .where('name', '=', String(request.params?.name))
          .execute();
        return request;
      },
    },
  },
);
