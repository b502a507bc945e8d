import type { AccessFixture, Target } from '../fixture.ts';
import { emptyRequest, uniqueName } from '../requests.ts';
import { type AccessRequest, accessRows } from '../row.ts';

/** Of the organization that looks after the site. */
const webhook = async (_target: Target, { cloud, home }: AccessFixture): Promise<AccessRequest> => ({
  params: { id: await cloud.make.webhook({ organizationId: home }) },
});

export const WEBHOOK_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
listWebhooks                read        200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
createWebhook               write       422      422      422      422      422      422      422      422      422      422      422      422      422      422      422      403      403      401
getWebhook                  read        404      404      404      404      404      404      404      404      404      404      200      200      200      200      404      403      403      401
updateWebhook               write       404      404      404      404      404      404      404      404      404      404      200      200      200      200      404      403      403      401
deleteWebhook               write       404      404      404      404      404      404      404      404      404      404      204      204      204      204      404      403      403      401
replaceWebhookSecret        write       404      404      404      404      404      404      404      404      404      404      200      200      200      200      404      403      403      401
testWebhook                 write       404      404      404      404      404      404      404      404      404      404      200      200      200      200      404      403      403      401
replayWebhook               write       404      404      404      404      404      404      404      404      404      404      200      200      200      200      404      403      403      401
listWebhookDeliveries       read        404      404      404      404      404      404      404      404      404      404      200      200      200      200      404      403      403      401
`,
  {
    listWebhooks: { request: emptyRequest },
    // The address is inside.
    createWebhook: { request: () => ({ body: { name: uniqueName(), url: 'https://127.0.0.1/' } }) },
    getWebhook: { request: webhook },
    updateWebhook: {
      request: async (target, fixture) => ({
        ...(await webhook(target, fixture)),
        body: { name: uniqueName() },
      }),
    },
    deleteWebhook: { request: webhook },
    replaceWebhookSecret: { request: webhook },
    testWebhook: { request: webhook },
    replayWebhook: {
      request: async (target, fixture) => ({
        ...(await webhook(target, fixture)),
        body: { since: new Date(fixture.cloud.clock.now()).toISOString() },
      }),
    },
    listWebhookDeliveries: { request: webhook },
  },
);
