import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@heliograph/kit';
import { defineMetric, type MetricValue } from '@heliograph/metrics';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type ShellyServer,
  type ShellyServerOptions,
  startShelly,
} from '../../../test/drivers/shelly/shelly-server.ts';
import { parseBusAddress } from '../../bus/address.ts';
import { LinkDown } from '../../bus/failures.ts';
import { openJsonBus } from '../../bus/open-bus.ts';
import { type DecodedUnit, type Hardware, NotRecognised, type Target } from '../driver.ts';
import { BadRecording, type Recording } from '../recording.ts';
import { shelly } from './family.ts';

interface Capture extends Recording {
  readonly id: string;
  readonly expected_topics: Readonly<Record<string, MetricValue>>;
}

const FOLDER = join(import.meta.dirname, 'captures');
const CAPTURES = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Capture,
);

const answersOf = (id: string): Map<string, unknown> => {
  const { exchanges = [] } = CAPTURES.find((capture) => capture.id === id) ?? {};
  return new Map(exchanges.map(({ request = '', response = '' }) => [request, JSON.parse(response)]));
};

/** Answers to `/shelly`, as the API documents them. */
const PRO_3EM = {
  name: null,
  id: 'shellypro3em-08f9e0e67204',
  mac: '08F9E0E67204',
  slot: 0,
  model: 'SPEM-003CEBEU',
  gen: 2,
  fw_id: '20241011-114455/1.4.4-g6d2a586',
  ver: '1.4.4',
  app: 'Pro3EM',
  auth_en: false,
  auth_domain: null,
  profile: 'triphase',
};
const FIRST_3EM = {
  type: 'SHEM-3',
  mac: 'C8C9A3A4B5C6',
  auth: false,
  fw: '20230913-114244/v1.14.0-gcb84623',
  longid: 1,
  num_outputs: 1,
  num_meters: 0,
  num_emeters: 3,
};

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function serve(options: ShellyServerOptions): Promise<ShellyServer> {
  const server = await startShelly(options);
  cleanups.push(() => server.stop());
  return server;
}

async function open({ bus }: ShellyServer, target: Partial<Target> = {}): Promise<Hardware> {
  const json = openJsonBus(parseBusAddress(bus), systemClock);
  cleanups.push(() => json.close());
  return shelly.open(json, { unit: undefined, options: {}, ...target });
}

const topicsOf = (units: readonly Pick<DecodedUnit, 'quantities' | 'reading'>[]) =>
  Object.fromEntries(
    units.flatMap(({ quantities, reading }, number) =>
      quantities.map((quantity) => [
        defineMetric('meters', number, quantity).topic,
        reading.get(quantity.name) ?? null,
      ]),
    ),
  );

const valuesOf = async (hardware: Hardware): Promise<Record<string, MetricValue>> => {
  const readings = await hardware.poll();
  return topicsOf(
    hardware.units.map(({ quantities }, index) => ({ quantities, reading: readings[index] ?? new Map() })),
  );
};

describe('answers of real Shelly meters', () => {
  it.each(CAPTURES)('$id decodes to its expected topics', (recording) => {
    expect(topicsOf(shelly.decode(recording))).toMatchObject(recording.expected_topics);
  });

  it('a relay that measures nothing is no meter', () => {
    const recording = CAPTURES.find(({ id }) => id === 'shelly_pro_em');
    expect(recording && shelly.decode(recording)).toHaveLength(2);
  });

  it('an answer that is not JSON rejects the recording', () => {
    const exchanges = [{ request: '/emeter/0', response: '<html>' }];
    expect(() => shelly.decode({ protocol: 'shelly_http', exchanges })).toThrow(BadRecording);
  });
});

describe('Shelly over HTTP', () => {
  it('a Pro 3EM is one meter of three phases, with its nameplate', async () => {
    const answers = answersOf('shelly_pro_3em').set('/shelly', PRO_3EM);
    const server = await serve({ answers });
    const hardware = await open(server);
    expect(hardware.units).toMatchObject([{ kind: 'meters', model: 'Shelly Pro3EM' }]);
    expect(await valuesOf(hardware)).toMatchObject({
      'meter_1/power': 3040,
      'meter_1/voltage': 236.1,
      'meter_1/import_energy': 20.3,
      'meter_1/serial_number': '08F9E0E67204',
      'meter_1/firmware_version': '1.4.4',
    });
    answers.set('/rpc/EM.GetStatus?id=0', { id: 0, total_act_power: -412.4, a_voltage: null });
    expect(await valuesOf(hardware)).toMatchObject({ 'meter_1/power': -412, 'meter_1/voltage_l1': null });
  });

  it('a 3EM of the first generation is one meter, whose phases add up', async () => {
    const answers = answersOf('shelly_3em').set('/shelly', FIRST_3EM);
    const hardware = await open(await serve({ answers }));
    expect(hardware.units).toMatchObject([{ kind: 'meters', model: 'Shelly 3EM' }]);
    expect(await valuesOf(hardware)).toMatchObject({ 'meter_1/power': 228, 'meter_1/power_l3': 9 });
    answers.set('/emeter/1', { power: 0, voltage: 0, is_valid: false, total: 0, total_returned: 0 });
    expect(await valuesOf(hardware)).toMatchObject({ 'meter_1/power': null, 'meter_1/power_l1': 198 });
  });

  it('a Pro EM is a meter for each channel, or the one that the connection names', async () => {
    const answers = answersOf('shelly_pro_em').set('/shelly', {
      ...PRO_3EM,
      app: 'ProEM',
      profile: undefined,
    });
    const server = await serve({ answers });
    const both = await open(server);
    expect(await valuesOf(both)).toMatchObject({
      'meter_1/power': 0,
      'meter_1/serial_number': '08F9E0E67204-0',
      'meter_2/power': 5080,
      'meter_2/serial_number': '08F9E0E67204-1',
    });
    expect(await valuesOf(await open(server, { unit: 1 }))).toMatchObject({ 'meter_1/power': 5080 });
    await expect(open(server, { unit: 2 })).rejects.toThrow(/Shelly ProEM has no meter 2/);
  });

  it('a phase of a Pro 3EM is a meter of its own where the connection names it', async () => {
    const answers = answersOf('shelly_pro_3em').set('/shelly', PRO_3EM);
    const hardware = await open(await serve({ answers }), { unit: 1 });
    expect(await valuesOf(hardware)).toMatchObject({
      'meter_1/power': 409,
      'meter_1/power_factor': -0.93,
      'meter_1/import_energy': 5.9,
    });
  });

  it('a measuring switch is a meter', async () => {
    const plug = {
      id: 0,
      output: true,
      apower: 8.9,
      voltage: 237.5,
      current: 0.062,
      freq: 50,
      aenergy: { total: 6532.2, by_minute: [45.2, 47.1, 88.4], minute_ts: 1_626_935_779 },
      ret_aenergy: { total: 12, by_minute: [0, 0, 0], minute_ts: 1_626_935_779 },
    };
    const answers = new Map<string, unknown>([
      ['/shelly', { ...PRO_3EM, app: 'Plus1PM', profile: undefined }],
      ['/rpc/Switch.GetStatus?id=0', plug],
    ]);
    expect(await valuesOf(await open(await serve({ answers })))).toMatchObject({
      'meter_1/power': 9,
      'meter_1/voltage': 237.5,
      'meter_1/import_energy': 6.5,
      'meter_1/export_energy': 0,
    });
  });

  it('a password of a later generation answers the digest challenge, once for many requests', async () => {
    const answers = answersOf('shelly_pro_3em').set('/shelly', PRO_3EM);
    const server = await serve({ answers, password: { scheme: 'digest', text: 'geheim' } });
    const hardware = await open(server, { options: { password: 'geheim' } });
    await hardware.poll();
    await hardware.poll();
    expect(server.requests.filter((request) => request.endsWith(' 401'))).toHaveLength(1);
    server.renewNonce();
    expect(await valuesOf(hardware)).toMatchObject({ 'meter_1/power': 3040 });
  });

  it('a password of the first generation is sent by basic authentication', async () => {
    const answers = answersOf('shelly_3em').set('/shelly', FIRST_3EM);
    const server = await serve({ answers, password: { scheme: 'basic', text: 'geheim' } });
    const hardware = await open(server, { options: { password: 'geheim' } });
    expect(await valuesOf(hardware)).toMatchObject({ 'meter_1/power': 228 });
  });

  it.each([
    ['lacks', {}, /has a password: set "password"/],
    ['has another', { password: 'falsch' }, /refuses the password/],
  ])(
    'a connection that %s the password is not recognised, with the reason',
    async (_what, options, reason) => {
      const answers = answersOf('shelly_pro_3em').set('/shelly', PRO_3EM);
      const server = await serve({ answers, password: { scheme: 'digest', text: 'geheim' } });
      const opened = open(server, { options });
      await expect(opened).rejects.toThrow(NotRecognised);
      await expect(opened).rejects.toThrow(reason);
    },
  );

  it.each([
    ['without /shelly', new Map()],
    ['with another page there', new Map([['/shelly', { title: 'a printer' }]])],
    ['that is a Shelly without a meter', new Map([['/shelly', { ...PRO_3EM, app: 'PlusI4' }]])],
  ])('hardware %s is not recognised', async (_what, answers) => {
    await expect(open(await serve({ answers }))).rejects.toThrow(NotRecognised);
  });

  it('a meter that no longer answers what it answered before is a link that is down', async () => {
    const answers = answersOf('shelly_pro_3em').set('/shelly', PRO_3EM);
    const hardware = await open(await serve({ answers }));
    answers.delete('/rpc/EM.GetStatus?id=0');
    await expect(hardware.poll()).rejects.toThrow(LinkDown);
  });
});
