import { equal, match } from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { listAlertRules, listAlerts, setAlertRules, testNotificationReceivers } from '@heliograph/client';
import { PushSubscriber, type ReceivedRequest } from '@heliograph/cloud/testing';
import type { BrokerClient } from '../broker-client.ts';
import type { AlertPlace, AlertState, Live } from '../live.ts';
import type { Step } from '../step.ts';
import { until } from '../until.ts';

const RULE = 'hardware_silent';

/** How long the inverter must be silent: long enough that no clock of whole seconds would do. */
const FOR_S = 3;

/** How long a condition must not be met before its alert clears, in milliseconds. */
const CLEAR_MS = 5 * 60_000;

/** How much of that time passes last, on the clock of the machine, in milliseconds. */
const LAST_MS = 15_000;

/** How long a place may take, in seconds. */
const PATIENCE_S: Readonly<Record<AlertState, number>> = { raised: 60, cleared: 360 };

export const alertRaised: Step = {
  name: 'alert-raised',
  title: 'a pulled cable is an alert at the device and everywhere that people look',
  causes: [
    { log: 'device', pattern: /"msg":"connection lost"/, why: 'the cable is pulled' },
    { log: 'device', pattern: /"rule":"hardware_silent".*"an alert was raised"/, why: 'the cable is pulled' },
  ],
  async run(live) {
    const ntfy = await startNtfy(live);
    await ruleOf(live);
    live.alertPlaces = await subscribe(live, ntfy);
    await live.system.signal('plant', 'SIGSTOP');
    try {
      await everywhere(live, 'raised');
      match(await live.heliograph(['alerts', 'demo']), /Inverter 1 does not answer/);
    } finally {
      live.alertEndsAtMs = live.clocks.now();
      await live.system.signal('plant', 'SIGCONT');
    }
    await until(
      'the inverter answers again',
      async () => (await live.device().value('total/load_power')) !== '',
    );
  },
};

/** Other steps are taken in the five minutes; none of them may start the device again. What is left of the time passes at once. */
export const alertCleared: Step = {
  name: 'alert-cleared',
  title: 'an alert is over at the device and everywhere, five minutes after the cable is in again',
  async run(live) {
    if (live.alertPlaces.length === 0) throw new Error('No alert was raised: the step needs alert-raised');
    const clearsAtMs = live.alertEndsAtMs + CLEAR_MS;
    await afterPoll(live);
    live.clocks.pass(Math.max(0, clearsAtMs - LAST_MS - live.clocks.now()));
    const state = await stateAtDevice(live);
    if (live.clocks.now() < clearsAtMs) equal(state, 'raised');
    await everywhere(live, 'cleared');
    // As delivered again: a restart on a busy machine is a silence of seconds, too.
    await setAlertRules(live.device(), { rules: [] });
  },
};

/** Waits for a moment between two polls: the values of one that time passes in are old, and the five minutes begin again. */
async function afterPoll(live: Live): Promise<void> {
  const power = () => live.device().value('total/load_power');
  const before = await power();
  await until('the device polled the hardware', async () => (await power()) !== before);
}

async function everywhere({ alertPlaces: places }: Live, state: AlertState): Promise<void> {
  await Promise.all(
    places.map(({ name, has }) =>
      until(`${name} has the alert as ${state}`, () => has(state), { seconds: PATIENCE_S[state] }),
    ),
  );
}

async function stateAtDevice(live: Live): Promise<string | undefined> {
  return (await listAlerts(live.device())).find(({ rule }) => rule === RULE)?.state;
}

/** As delivered, it waits for ten minutes, in which a router restarts. */
async function ruleOf(live: Live): Promise<void> {
  const { rules } = await listAlertRules(live.device());
  const rule = rules.find(({ id }) => id === RULE);
  if (rule === undefined) throw new Error(`There is no rule ${RULE}`);
  const { id, name, enabled, severity, condition } = rule;
  await setAlertRules(live.device(), {
    rules: [{ id, name, enabled, severity, condition: { ...condition, for_s: FOR_S } }],
  });
}

/** A server for the device's own messages. @returns the bodies of those that came */
async function startNtfy(live: Live): Promise<readonly string[]> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  live.undo.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const receiver = `notifications:\n  - ntfy: http://127.0.0.1:${port}/home\n    severity: critical\n`;
  await appendFile(join(live.system.deviceFolder, 'device.yaml'), receiver);
  await live.device().connection.text('POST /api/v1/restart');
  await until('the device sent a test message', async () => {
    const [tested] = await testNotificationReceivers(live.device());
    return tested?.error === null && bodies.length > 0;
  });
  return bodies;
}

async function subscribe(live: Live, ntfy: readonly string[]): Promise<readonly AlertPlace[]> {
  const { site, account } = live.system.run;
  const { receiver, broker } = live;
  const origin = `https://localhost:${receiver.port}`;
  const owner = await live.signedIn();
  const phone = new PushSubscriber();
  await owner.addPushSubscription({ endpoint: `${origin}/push`, keys: phone.keys });
  const webhook = await owner.createWebhook({ name: 'Mine', url: `${origin}/hook`, types: ['alert'] });
  const at = (path: string) => receiver.received.filter((request) => request.path === path);
  const mailed: Record<AlertState, RegExp> = { raised: /Since /, cleared: /From .* to / };
  return [
    {
      name: 'the device',
      has: async (state) => (await stateAtDevice(live)) === state,
    },
    {
      name: 'the cloud',
      has: async (state) =>
        (await owner.listSiteAlerts({ id: site.id })).some((one) => one.rule === RULE && one.state === state),
    },
    {
      name: 'the feed of events',
      has: async (state) =>
        (await owner.listEvents({ type: 'alert' })).some(({ type }) => type === `alert.${state}`),
    },
    {
      name: 'the webhook',
      has: (state) => {
        const bodies = at('/hook').map((request) => verified(request, webhook.secret));
        return bodies.some(({ type }) => type === `alert.${state}`);
      },
    },
    {
      name: 'the pushed messages',
      has: (state) =>
        at('/push').length >= (state === 'raised' ? 1 : 2) &&
        at('/push').every(({ body }) => phone.decrypt(body).includes('Inverter 1')),
    },
    {
      name: 'the mailbox',
      has: async (state) => {
        await live.mail(account.email, /Inverter 1 does not answer/, mailed[state]);
        return true;
      },
    },
    {
      name: 'the receiver of the device',
      has: (state) =>
        ntfy.filter((body) => body.includes('Inverter 1')).length >= (state === 'raised' ? 1 : 2),
    },
    ...(broker === undefined ? [] : [placeAtBroker(broker)]),
  ];
}

function placeAtBroker(broker: BrokerClient): AlertPlace {
  return {
    name: 'the broker',
    has: (state) =>
      broker.latest.get(`solar_assistant/alerts/${RULE}/state`) === String(state === 'raised') &&
      broker.messages.some(
        ({ topic, text: message }) =>
          topic === 'solar_assistant/alert' && message.includes(`"event_type":"${state}"`),
      ),
  };
}

/** The event of a webhook, by the rules of Standard Webhooks. @throws when it is signed by anything but the secret */
function verified({ headers, body }: ReceivedRequest, secret: string): { readonly type: string } {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  equal(headers['webhook-signature'], `v1,${signature}`);
  return JSON.parse(body.toString()) as { type: string };
}
