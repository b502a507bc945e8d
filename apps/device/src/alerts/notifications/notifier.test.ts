import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { inPieces } from '@heliograph/dev/in-pieces';
import { ManualClock, silentLogger } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NtfyConfig } from '../../config/notification-config.ts';
import { openTemporaryDatabase } from '../../storage/database.ts';
import { KeyValueStore } from '../../storage/key-value.ts';
import { type AlertChanges, AlertStore, type NewAlert, type StoredAlert } from '../alert-store.ts';
import type { AlertListener } from '../alert-watch.ts';
import { NtfyChannel } from './channel.ts';
import { Notifier } from './notifier.ts';

const NOW = Date.parse('2026-06-21T10:00:00Z');
const DAY_MS = 24 * 3_600_000;

const LOW: NewAlert = {
  rule: 'battery_low',
  kind: 'below',
  severity: 'warning',
  topic: 'battery_1/state_of_charge',
  name: 'State of charge',
  detail: null,
  value: 4.5,
  limit: 5,
  unit: '%',
  since: NOW,
  raisedAt: NOW,
  lastAt: NOW,
};

/** An ntfy server as the device sees it. */
class Receiver {
  readonly messages: { topic: string; title: string; message: string; priority: number; tags: string[] }[] =
    [];
  readonly tokens: (string | undefined)[] = [];
  /** The statuses of the next answers; 200 after them. `lost`: the message is taken, and the connection ends. */
  readonly next: (number | 'lost')[] = [];
  readonly #server: Server = createServer(async (request, response) => {
    const message = (await json(request)) as Receiver['messages'][number];
    const status = this.next.shift() ?? 200;
    if (status === 200 || status === 'lost') {
      this.messages.push(message);
      this.tokens.push(request.headers.authorization);
    }
    if (status === 'lost') request.socket.destroy();
    else response.writeHead(status).end('{}');
  });

  async start(): Promise<string> {
    inPieces(this.#server).listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  get texts(): readonly string[] {
    return this.messages.map(({ message }) => message);
  }
}

let receiver: Receiver;
let url: string;
let clock: ManualClock;
let db: ReturnType<typeof openTemporaryDatabase>;
let alerts: AlertStore;
let store: KeyValueStore;
let listeners: Set<AlertListener>;
let notifier: Notifier | undefined;
beforeEach(async () => {
  receiver = new Receiver();
  url = `${await receiver.start()}/home`;
  clock = new ManualClock(NOW);
  db = openTemporaryDatabase();
  alerts = new AlertStore(db);
  store = new KeyValueStore(db);
  listeners = new Set();
});
afterEach(async () => {
  await notifier?.stop();
  await receiver.stop();
});

const start = (config: Partial<NtfyConfig> = {}): void => {
  const receiver = { ntfy: url, token: undefined, severity: 'warning', language: 'en', ...config } as const;
  notifier = new Notifier({
    receiver,
    channel: new NtfyChannel(receiver),
    alerts,
    store,
    watch: {
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    title: () => 'Barn',
    clock,
    logger: silentLogger,
    times: { retryMinMs: 1, retryMaxMs: 2 },
  });
  notifier.start();
};
const restart = async (): Promise<void> => {
  await notifier?.stop();
  start();
};
const report = (alert: StoredAlert): StoredAlert => {
  for (const listener of listeners) listener(alert);
  return alert;
};
const change = (id: number, changes: AlertChanges): StoredAlert =>
  report(alerts.update(id, changes) as StoredAlert);
const raise = (more: Partial<NewAlert> = {}): StoredAlert => report(alerts.insert({ ...LOW, ...more }));
const clear = ({ id }: StoredAlert): StoredAlert =>
  change(id, { clearedAt: clock.now(), lastAt: clock.now() });
const received = (...texts: string[]): Promise<void> =>
  expect.poll(() => receiver.texts).toEqual(texts) as Promise<void>;

/** The receiver has a message before its answer is stored. */
const stored = (): Promise<void> =>
  expect
    .poll(() => db.prepare(`SELECT value FROM settings WHERE value LIKE '%"sending"%'`).all())
    .toEqual([]) as Promise<void>;

const TEXT = 'Battery 1: State of charge is 4.5 %, below 5 %';

describe('an alert', () => {
  it('a message goes out when it begins, and one when it is over', async () => {
    start({ token: 'tk_secret' });
    const alert = raise();
    await received(TEXT);
    clear(alert);
    await received(TEXT, `Over: ${TEXT}`);
    expect(receiver.messages).toMatchObject([
      { topic: 'home', title: 'Barn', priority: 4, tags: ['warning'] },
      { priority: 2, tags: ['white_check_mark'] },
    ]);
    expect(receiver.tokens).toEqual(['Bearer tk_secret', 'Bearer tk_secret']);
  });

  it('the message is in the language of the receiver', async () => {
    start({ language: 'de' });
    raise({ severity: 'critical' });
    await received('Batterie 1: State of charge ist 4,5 %, unter 5 %');
    expect(receiver.messages).toMatchObject([{ priority: 5, tags: ['rotating_light'] }]);
  });

  it('an alert that returns gives no further messages', async () => {
    start();
    const alert = raise();
    await received(TEXT);
    clear(alert);
    await received(TEXT, `Over: ${TEXT}`);
    change(alert.id, { clearedAt: null, times: 2 });
    clear(alert);
    raise({ topic: 'battery_2/state_of_charge' });
    await received(TEXT, `Over: ${TEXT}`, TEXT.replace('1', '2'));
  });

  it('less grave alerts, acknowledged ones, and those from before the receiver are not sent', async () => {
    raise({ topic: 'battery_3/state_of_charge' });
    start();
    raise({ severity: 'information' });
    const { id } = alerts.insert({ ...LOW, topic: 'battery_4/state_of_charge' });
    change(id, { acknowledgedAt: NOW, acknowledgedBy: 'local' });
    raise();
    await received(TEXT);
  });
});

describe('a receiver that fails', () => {
  it('messages wait for it, and come in order, each once', async () => {
    receiver.next.push(503, 500, 429, 401);
    start();
    raise();
    raise({ topic: 'battery_2/state_of_charge' });
    await received(TEXT, TEXT.replace('1', '2'));
    expect(receiver.next).toEqual([]);
  });

  it('a message that is refused for good does not hold up the next', async () => {
    receiver.next.push(400);
    start();
    raise();
    raise({ topic: 'battery_2/state_of_charge' });
    await received(TEXT.replace('1', '2'));
  });

  it('an alert that began and cleared meanwhile is one message, and none after three days', async () => {
    start();
    await notifier?.stop();
    clear(raise());
    const old = raise({ topic: 'battery_2/state_of_charge' });
    alerts.update(old.id, { clearedAt: NOW });
    clear(raise({ topic: 'battery_3/state_of_charge', lastAt: NOW + 2 * DAY_MS }));
    clock.advance(4 * DAY_MS);
    alerts.update(3, { lastAt: NOW + 2 * DAY_MS });
    start();
    raise({ topic: 'battery_4/state_of_charge', lastAt: clock.now() });
    await received(`Over: ${TEXT.replace('1', '3')}`, TEXT.replace('1', '4'));
  });
});

describe('a power cut', () => {
  it('a message whose answer was lost is sent again, as a repetition', async () => {
    receiver.next.push('lost');
    start();
    raise();
    await received(TEXT, `${TEXT} (sent again)`);
  });

  it('nothing is lost or doubled at any moment of it', async () => {
    start();
    const first = raise();
    await received(TEXT);
    await stored();
    await restart();
    raise({ topic: 'battery_2/state_of_charge' });
    await received(TEXT, TEXT.replace('1', '2'));
    await stored();
    await restart();
    clear(first);
    await received(TEXT, TEXT.replace('1', '2'), `Over: ${TEXT}`);
  });
});
