import { DeviceConfigurationChange } from '@heliograph/contracts';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryStore } from '../../../test/serve/api/test-device.ts';
import type { Caller } from '../../access/caller.ts';
import { RegisteredSite } from '../../access/registered-site.ts';
import type { KeyValueStore } from '../../storage/key-value.ts';
import type { ConfigFile } from '../config-file.ts';
import { Delegations } from './delegations.ts';

const NOW = Date.parse('2026-06-21T10:00:00Z');
const SITE = 7;

const BROKER = { url: 'mqtt://192.168.1.5', allow_writes: true };
const FILE: ConfigFile = {
  mqtt: BROKER,
  connections: [
    { driver: 'sunspec', bus: 'modbus-tcp://192.168.1.20:502' },
    { driver: 'own', bus: 'modbus-tcp://192.168.1.21:502', options: { allow_writes: true } },
  ],
  setting_writes_per_day: 5000,
};
const NOTHING: ConfigFile = { mqtt: { ...BROKER, allow_writes: false } };

const caller = (userId: number | null): Caller => ({
  name: userId === null ? 'local' : `user ${userId}`,
  via: 'proxy',
  address: '192.0.2.1',
  token: userId === null ? null : { userId, source: 'token:3', siteId: SITE },
  recovery: null,
  mayWrite: true,
  mayConfigure: true,
  isStillAuthorized: () => true,
});
const ADMIN = caller(5);

interface Home {
  readonly store: KeyValueStore;
  readonly site: RegisteredSite;
  /** The device starts with a file, at a moment. */
  start(file?: ConfigFile, options?: { isStoreLost?: boolean; nowMs?: number }): Delegations;
}

function home(): Home {
  const { store, remove } = temporaryStore();
  onTestFinished(() => remove());
  const site = new RegisteredSite(store);
  site.set(SITE);
  return {
    store,
    site,
    start: (running = FILE, { isStoreLost = false, nowMs = NOW } = {}) =>
      new Delegations({ running, store, site, isStoreLost, now: () => nowMs }),
  };
}

/** A home whose admin configured everything; the device has restarted with it. */
function configured(by = ADMIN): Home & { readonly delegations: Delegations } {
  const made = home();
  made.start(NOTHING).record(NOTHING, FILE, by);
  return { ...made, delegations: made.start() };
}

const suspensions = (delegations: Delegations, file = FILE) =>
  delegations.list(file).map(({ suspended }) => suspended);

/** The cloud's answer to all that is reported. */
function answer(delegations: Delegations, suspended: string | null, until: string | null = null): void {
  const report = delegations.report();
  delegations.learn(
    report,
    report.map(({ id, set_at }) => ({ id, set_at, suspended, until })),
  );
}

it('a delegation of a caller with a site token is reported with its author, until the cloud has it', () => {
  const { delegations, start } = configured();
  expect(delegations.isReportDue).toBe(true);
  expect(delegations.report()).toMatchObject([
    { kind: 'mqtt', subject: 'mqtt://192.168.1.5', user_id: 5, source: 'token:3', person: false },
    { kind: 'connection', subject: 'own modbus-tcp://192.168.1.21:502', user_id: 5 },
    { kind: 'setting_writes', subject: '5000', user_id: 5 },
  ]);
  answer(delegations, null);
  expect([delegations.isReportDue, start().isReportDue]).toEqual([false, false]);
  expect(delegations.authorOf('mqtt')).toBe('user 5');
  expect(delegations.suspended('mqtt')).toBeUndefined();
});

it('a delegation of a session is reported as such, one of an earlier release without a kind', () => {
  const { delegations, store, start } = configured({ ...ADMIN, isPerson: true });
  const kinds = (reporting: Delegations) => reporting.report().map(({ person }) => person);
  expect([kinds(delegations), kinds(start())]).toEqual([
    [true, true, true],
    [true, true, true],
  ]);
  store.set('delegations', (store.get('delegations') ?? '').replaceAll('"isPerson":true,', ''));
  expect(kinds(start())).toEqual([undefined, undefined, undefined]);
});

it.each(['role', 'token', 'account', 'a reason of a newer cloud'])(
  'a delegation that the cloud suspends for %s has no effect, also after a restart',
  (reason) => {
    const { delegations, start } = configured();
    answer(delegations, reason);
    const expected = reason.startsWith('a ') ? 'role' : reason;
    expect(suspensions(delegations)).toEqual([expected, expected, expected]);
    const restarted = start();
    expect(suspensions(restarted)).toEqual([expected, expected, expected]);
    expect(restarted.suspended('mqtt')?.message).toContain('user 5');
    expect(restarted.suspended('connection', 1)).toBeDefined();
    expect(restarted.suspended('connection', 0)).toBeUndefined();
    // A later answer does not lift it.
    answer(restarted, null);
    expect(suspensions(restarted)).toEqual([expected, expected, expected]);
  },
);

it('a delegation ends with the API token that made it, without the cloud', () => {
  const { delegations, start } = configured();
  answer(delegations, null, new Date(NOW + 1000).toISOString());
  expect(suspensions(start(FILE, { nowMs: NOW + 999 }))).toEqual([null, null, null]);
  expect(suspensions(start(FILE, { nowMs: NOW + 1000 }))).toEqual(['token', 'token', 'token']);
});

it.each([null, SITE + 1])('a device of site %s carries out nothing that was delegated at another', (id) => {
  const { delegations, site } = configured();
  site.set(id);
  expect(suspensions(delegations)).toEqual(['site', 'site', 'site']);
  expect(delegations.report()).toEqual([]);
});

it('a delegation of the device password, or by hand in the file, is not reported and never suspended', () => {
  for (const delegations of [configured(caller(null)).delegations, home().start()]) {
    expect(delegations.report()).toEqual([]);
    expect(delegations.isReportDue).toBe(false);
    expect(suspensions(delegations)).toEqual([null, null, null]);
    expect(delegations.authorOf('mqtt')).toBeUndefined();
  }
});

it('another broker by hand in the file is the household’s, and the suspended one stays suspended', () => {
  const { delegations, start } = configured();
  answer(delegations, 'role');
  const other = { ...FILE, mqtt: { ...BROKER, url: 'mqtt://192.168.1.6' } };
  expect(start(other).suspended('mqtt')).toBeUndefined();
  expect(start().suspended('mqtt')).toBeDefined();
});

it('a change of other fields allows nothing again, another broker belongs to its author', () => {
  const { delegations, start } = configured();
  answer(delegations, 'role');
  const owner = caller(1);
  const other: ConfigFile = {
    ...FILE,
    mdns: false,
    mqtt: { ...BROKER, topic_prefix: 'home', password: 'x' },
  };
  delegations.record(FILE, other, owner);
  expect(start(other).suspended('mqtt')).toBeDefined();
  const moved = { ...FILE, mqtt: { ...BROKER, url: 'mqtt://192.168.1.6' } };
  delegations.record(other, moved, owner);
  expect(start(moved).authorOf('mqtt')).toBe('user 1');
  expect(start(moved).suspended('mqtt')).toBeUndefined();
});

it('a configuration that comes back, as the next one cannot start, has its authors after several changes', () => {
  const { delegations, start } = configured();
  const other: ConfigFile = { ...NOTHING, setting_writes_per_day: 200 };
  delegations.record(FILE, NOTHING, ADMIN);
  delegations.record(NOTHING, other, caller(null));
  const restored = start();
  expect(restored.list(FILE).map(({ author }) => author)).toEqual(['user 5', 'user 5', 'user 5']);
  // Once the device runs with the next one, what was removed is forgotten.
  start(other).record(other, NOTHING, ADMIN);
  start(NOTHING).record(NOTHING, other, ADMIN);
  expect(suspensions(start())).toEqual([null, null, null]);
  expect(start().authorOf('mqtt')).toBeUndefined();
});

it('a caller who keeps a delegation is its author, whatever the cloud answered about the one before', () => {
  const { delegations, start } = configured();
  answer(delegations, 'role');
  const report = delegations.report();
  const [first] = report;
  const keeper = start(FILE, { nowMs: NOW + 1 });
  keeper.keep(first?.id ?? '', caller(1));
  keeper.learn(
    report,
    report.map(({ id, set_at }) => ({ id, set_at, suspended: 'role', until: null })),
  );
  expect(suspensions(keeper)).toEqual([null, 'role', 'role']);
  expect(keeper.authorOf('mqtt')).toBe('user 1');
  expect(keeper.isReportDue).toBe(true);
});

it('a device that lost its settings suspends all delegations, and one that never had them suspends none', () => {
  const lost = home();
  expect(suspensions(lost.start(FILE, { isStoreLost: true }))).toEqual(['unknown', 'unknown', 'unknown']);
  // The owner knows of the loss.
  const restarted = lost.start();
  expect(suspensions(restarted)).toEqual(['unknown', 'unknown', 'unknown']);
  restarted.keep(restarted.list(FILE)[0]?.id ?? '', caller(null));
  expect(suspensions(restarted)).toEqual([null, 'unknown', 'unknown']);
  const damaged = configured();
  damaged.store.set('delegations', '{"records":[{"id":');
  expect(suspensions(damaged.start())).toEqual(['unknown', 'unknown', 'unknown']);
});

it('a cloud of an earlier release is not called again about delegations', () => {
  const { delegations } = configured();
  delegations.learn(delegations.report(), undefined);
  expect(delegations.isReportDue).toBe(false);
  expect(suspensions(delegations)).toEqual([null, null, null]);
});

/** Fields of a configuration that let nothing be written later. */
const OTHER_FIELDS = [
  ...['poll_interval_s', 'time_zone', 'energy_period', 'history', 'mdns', 'region'],
  ...['driver', 'bus', 'unit', 'role'].map((name) => `connections.${name}`),
  ...['ca_file', 'username', 'password', 'home_assistant', 'topic_prefix', 'discovery_prefix', 'url'].map(
    (name) => `mqtt.${name}`,
  ),
];
/** Fields that do, once they are set: of the options of drivers that is `allow_writes` of a profile. */
const DELEGATING_FIELDS = ['setting_writes_per_day', 'mqtt.allow_writes', 'connections.options'];

it('each field of a configuration is known to let others write later, or not', () => {
  const { connections, mqtt, ...plain } = DeviceConfigurationChange.properties;
  const fields = [
    ...Object.keys(plain),
    ...Object.keys(connections.items.properties).map((name) => `connections.${name}`),
    ...Object.keys(mqtt.anyOf[0].properties).map((name) => `mqtt.${name}`),
  ];
  expect(fields.toSorted()).toEqual([...OTHER_FIELDS, ...DELEGATING_FIELDS].toSorted());
});
