import { MAX_STREAM_TOPICS } from '@heliograph/contracts';
import { DEFAULT_STREAM_TOPICS } from '@heliograph/metrics';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SITE_ID, startTestCloud } from '../../../test/cloud/uplink/test-cloud.ts';
import { Plant } from '../../../test/serve/api/plant.ts';
import { PASSWORD, startTestDevice, type TestDevice } from '../../../test/serve/api/test-device.ts';
import {
  connectStream,
  type Frame,
  refusedStatus,
  type StreamClient,
} from '../../../test/serve/stream/stream-client.ts';
import { MAX_FRAME_BYTES } from './live-stream.ts';

let device: TestDevice;
beforeEach(async () => {
  device = await startTestDevice();
});
afterEach(() => device.stop());

const urlOf = (path = '/api/websocket', query = 'vsn=2.0.0') =>
  `${device.api.url.replace('http', 'ws')}${path}?password=${encodeURIComponent(PASSWORD)}&${query}`;

const join = async (payload: Record<string, unknown> = {}): Promise<StreamClient> => {
  const client = await connectStream(urlOf());
  client.send('1', '2', 'metrics', 'phx_join', payload);
  await client.next('phx_reply');
  return client;
};

const topicsIn = (frame: Frame): unknown[] =>
  ((frame[4].definitions ?? frame[4].metrics) as { topic: string }[]).map(({ topic }) => topic);

describe('joining', () => {
  it('a join is answered as existing clients expect it, to the letter', async () => {
    const client = await join({ topics: [{ topic: 'total/pv_power' }] });
    await client.next('data');
    expect(client.texts).toEqual([
      '["1","2","metrics","phx_reply",{"status":"ok","response":{}}]',
      expect.stringMatching(/^\["1",null,"metrics","system",\{"metrics":\[\{"topic":"system\/site_id",/),
      '["1",null,"metrics","definition",{"definitions":[{"topic":"total/pv_power","device":"totals",' +
        '"number":null,"group":"Status","name":"PV power","unit":"W","platform":"sensor",' +
        '"device_class":"power","state_class":"measurement","unit_of_measurement":"W","min":null,"max":null,' +
        '"step":null,"options":null,"payload_on":null,"payload_off":null}]}]',
      '["1",null,"metrics","data",{"metrics":[{"topic":"total/pv_power","value":1240}]}]',
    ]);
  });

  it.each(['/api/websocket', '/api/socket/websocket'])('a client joins at %s', async (path) => {
    const client = await connectStream(urlOf(path));
    client.send('1', '2', 'metrics', 'join', {});
    expect((await client.next('phx_reply'))[4]).toEqual({ status: 'ok', response: {} });
  });

  it.each(['', 'vsn=', 'vsn=3.0.0'])(
    'a client with "%s" that sends arrays is answered in arrays',
    async (query) => {
      const client = await connectStream(urlOf('/api/websocket', query));
      client.send('1', '2', 'metrics', 'phx_join', { topics: [{ topic: 'total/pv_power' }] });
      await client.next('data');
      expect(client.texts[0]).toBe('["1","2","metrics","phx_reply",{"status":"ok","response":{}}]');
      expect(client.texts.at(-1)).toBe(
        '["1",null,"metrics","data",{"metrics":[{"topic":"total/pv_power","value":1240}]}]',
      );
    },
  );

  it('a client that names no version and sends objects is answered in objects', async () => {
    const client = await connectStream(urlOf('/api/websocket', ''));
    client.socket.send(
      JSON.stringify({
        topic: 'metrics',
        event: 'phx_join',
        payload: { topics: [{ topic: 'battery*' }] },
        ref: '1',
      }),
    );
    await client.next('data');
    expect(client.texts[0]).toBe(
      '{"topic":"metrics","event":"phx_reply","payload":{"status":"ok","response":{}},"ref":"1","join_ref":null}',
    );
    expect(client.texts.at(-1)).toBe(
      '{"topic":"metrics","event":"data","payload":{"metrics":[{"topic":"battery_1/voltage","value":null}]},' +
        '"ref":null,"join_ref":null}',
    );
  });

  it('a join without topics gets the default ones', async () => {
    const client = await join();
    expect(topicsIn(await client.next('data'))).toEqual([
      'total/pv_power',
      'total/load_power',
      'inverter_1/pv_power',
      'inverter_1/device_mode',
      'battery_1/voltage',
    ]);
    expect(DEFAULT_STREAM_TOPICS).toContain('total/*');
  });

  it('a join with * gets everything but the group Ignore', async () => {
    const client = await join({ topics: [{ topic: '*' }] });
    const definitions = topicsIn(await client.next('definition'));
    expect(definitions).toHaveLength(10);
    expect(definitions).not.toContain('inverter_1/raw_status_word');
    expect(topicsIn(await client.next('data'))).toEqual(definitions);
  });

  it('a join gets the rows about the device itself whatever the topics are', async () => {
    const client = await join({ topics: [{ topic: 'nothing' }] });
    const [, , , , payload] = await client.next('system');
    expect(payload.metrics).toMatchObject([
      { topic: 'system/site_id', group: 'Info', value: 7, updated_at: expect.any(String) },
      { topic: 'system/cpu_temperature', value: 48, platform: 'sensor' },
    ]);
  });

  it('a second join goes on under the later reference and with the topics from before', async () => {
    const client = await join({ topics: [{ topic: 'total/*' }] });
    await client.next('data');
    client.send('3', '4', 'metrics', 'phx_join', {});
    expect(await client.next('phx_reply')).toEqual([
      '3',
      '4',
      'metrics',
      'phx_reply',
      { status: 'ok', response: {} },
    ]);
    expect(topicsIn(await client.next('data'))).toEqual(['total/pv_power', 'total/load_power']);
    client.send('3', '5', 'metrics', 'set', { topic: 'inverter_1/max_charge_current', value: '40' });
    expect(await client.next('set_result')).toEqual([
      '3',
      null,
      'metrics',
      'set_result',
      { topic: 'inverter_1/max_charge_current', result: 'ok' },
    ]);
    device.plant.publish({ 'total/pv_power': 1 });
    expect((await client.next('data'))[0]).toBe('3');
  });

  it.each([
    ['an unknown channel', 'weather', {}, 'unmatched topic'],
    ['topics that are no list', 'metrics', { topics: 'total/*' }, 'topics must be a list'],
    [
      'topics without a topic',
      'metrics',
      { topics: [{}] },
      'each of topics must have a topic, which is a text',
    ],
    [
      'a topic longer than any',
      'metrics',
      { topics: [{ topic: 'x'.repeat(257) }] },
      'a topic must have at most 256 characters, not 257',
    ],
    [
      'too many topics',
      'metrics',
      { topics: Array(MAX_STREAM_TOPICS + 1).fill({ topic: 'a' }) },
      'topics must have at most 500 entries, not 501',
    ],
  ])('a join %s is answered with an error', async (_what, channel, payload, reason) => {
    const client = await connectStream(urlOf());
    client.send('1', '2', channel, 'phx_join', payload);
    expect(await client.next('phx_reply')).toEqual([
      '1',
      '2',
      channel,
      'phx_reply',
      { status: 'error', response: { reason } },
    ]);
  });
});

describe('values', () => {
  it('values are sent when they change, and only those', async () => {
    const client = await join({ topics: [{ topic: 'total/*' }] });
    await client.next('data');
    device.plant.publish({ 'total/pv_power': 1250, 'battery_1/voltage': 52.1 });
    expect((await client.next('data'))[4]).toEqual({ metrics: [{ topic: 'total/pv_power', value: 1250 }] });
    device.plant.publish({ 'total/pv_power': null });
    expect((await client.next('data'))[4]).toEqual({ metrics: [{ topic: 'total/pv_power', value: null }] });
    device.plant.publish();
    device.plant.publish({ 'total/load_power': 1 });
    expect((await client.next('data'))[4]).toEqual({ metrics: [{ topic: 'total/load_power', value: 1 }] });
    expect(client.frames.filter(([, , , event]) => event === 'definition')).toHaveLength(1);
  });

  it('values of a topic that appears later come after its definition', async () => {
    const growing = await startTestDevice({ plant: new Plant() });
    const client = await connectStream(
      `${growing.api.url.replace('http', 'ws')}/api/websocket?vsn=2.0.0&password=${encodeURIComponent(PASSWORD)}`,
    );
    client.send('1', '2', 'metrics', 'phx_join', { topics: [{ topic: '*' }] });
    await client.next('system');
    growing.plant.publish({ 'battery_1/voltage': 52.1 });
    expect(topicsIn(await client.next('definition'))).toEqual(['battery_1/voltage']);
    expect(topicsIn(await client.next('data'))).toEqual(['battery_1/voltage']);
    growing.plant.publish({ 'battery_1/voltage': 52.2, 'total/pv_power': 5 });
    expect(topicsIn(await client.next('definition'))).toEqual(['total/pv_power']);
    expect(topicsIn(await client.next('data'))).toEqual(['total/pv_power', 'battery_1/voltage']);
    await growing.stop();
  });

  it('values follow a changed filter', async () => {
    const client = await join({ topics: [{ topic: 'total/pv_power' }] });
    await client.next('data');
    client.send('1', '3', 'metrics', 'topics', { topics: [{ topic: 'total/*' }] });
    expect((await client.next('phx_reply'))[4].status).toBe('ok');
    expect(topicsIn(await client.next('definition'))).toEqual(['total/load_power']);
    expect(topicsIn(await client.next('data'))).toEqual(['total/pv_power', 'total/load_power']);
    client.send('1', '4', 'metrics', 'topics', { topics: [{ topic: 'battery*' }] });
    expect(topicsIn(await client.next('data'))).toEqual(['battery_1/voltage']);
    device.plant.publish({ 'total/pv_power': 1, 'battery_1/voltage': 51 });
    expect(topicsIn(await client.next('data'))).toEqual(['battery_1/voltage']);
  });

  it('values end when the client leaves, and the socket stays', async () => {
    const client = await join();
    await client.next('data');
    client.send('1', '3', 'metrics', 'phx_leave', {});
    await client.next('phx_reply');
    device.plant.publish({ 'total/pv_power': 1 });
    client.send(null, '4', 'phoenix', 'heartbeat', {});
    await client.next('phx_reply', ([, ref]) => ref === '4');
    expect(client.frames.at(-2)?.[3]).toBe('phx_reply');
  });

  it('values start with the default topics when the client joins again after it left', async () => {
    const client = await join({ topics: [{ topic: 'battery*' }] });
    await client.next('data');
    client.send('1', '3', 'metrics', 'phx_leave', {});
    client.send('4', '5', 'metrics', 'phx_join', {});
    expect(topicsIn(await client.next('data'))).toContain('total/pv_power');
  });
});

describe('events', () => {
  it.each(['', null])('heartbeats with join_ref %j are answered', async (joinRef) => {
    const client = await connectStream(urlOf());
    client.send(joinRef, '6', 'phoenix', 'heartbeat', {});
    await client.next('phx_reply');
    expect(client.texts).toEqual(['[null,"6","phoenix","phx_reply",{"status":"ok","response":{}}]']);
  });

  it('events of an unknown name are no error to a client that joined', async () => {
    const client = await join();
    client.send('1', '3', 'metrics', 'whatever', {});
    expect((await client.next('phx_reply'))[4]).toEqual({ status: 'ok', response: {} });
  });

  it('events without a join are an error', async () => {
    const client = await connectStream(urlOf());
    client.send('1', '3', 'metrics', 'set', { topic: 'inverter_1/max_charge_current', value: '40' });
    expect((await client.next('phx_reply'))[4]).toEqual({
      status: 'error',
      response: { reason: 'unmatched topic' },
    });
    expect(device.settings.writes).toEqual([]);
  });

  it('messages that are no frames are ignored', async () => {
    const client = await join();
    for (const bad of ['', 'null', '{}', '[]', '[1,2,3]', '{"a":', '["1","2",3,4,{}]', '"x"'])
      client.socket.send(bad);
    client.socket.send(Buffer.from([1, 2, 3]));
    client.socket.send(JSON.stringify(['1', 'r'.repeat(65), 'metrics', 'whatever', {}]));
    client.send('1', '9', 'phoenix', 'heartbeat', {});
    await client.next('phx_reply', ([, ref]) => ref === '9');
    expect(client.frames.filter(([, , , event]) => event === 'phx_reply')).toHaveLength(2);
  });

  it('messages of enormous size end the connection', async () => {
    const client = await join();
    client.socket.send('x'.repeat(MAX_FRAME_BYTES + 1));
    expect((await client.closed)[0]).toBe(1009);
  });
});

describe('a write', () => {
  const topic = 'inverter_1/max_charge_current';

  it.each([
    [
      { topic, value: '40' },
      { topic, result: 'ok' },
    ],
    [
      { topic, value: 41 },
      { topic, result: 'ok' },
    ],
    [
      { topic, value: '101' },
      { topic, result: 'error', message: `${topic} must be from 0 to 100 A` },
    ],
    [
      { topic: 'x', value: '1' },
      { topic: 'x', result: 'error', message: 'x cannot be written' },
    ],
    [{ topic }, { topic, result: 'error', message: 'value is missing' }],
    [{ value: '1' }, { topic: '', result: 'error', message: 'topic is missing' }],
    [{}, { topic: '', result: 'error', message: 'topic, value are missing' }],
    [
      { topic: '', value: '1' },
      { topic: '', result: 'error', message: 'topic must not be empty' },
    ],
    [
      { topic, value: [] },
      { topic, result: 'error', message: 'value must be a text, a number or true or false, not a list' },
    ],
  ])('the write %j results in %j', async (payload, result) => {
    const client = await join();
    client.send('1', '3', 'metrics', 'set', payload);
    expect((await client.next('set_result'))[4]).toEqual(result);
    expect(await client.next('phx_reply')).toEqual([
      '1',
      '3',
      'metrics',
      'phx_reply',
      { status: 'ok', response: result },
    ]);
  });

  it.each(['1', null, ''])(
    'a write with the join_ref %j is carried out after a join with "1"',
    async (joinRef) => {
      const client = await join();
      client.send(joinRef, '3', 'metrics', 'set', { topic, value: '36' });
      expect((await client.next('set_result'))[4]).toEqual({ topic, result: 'ok' });
      expect((await client.next('phx_reply')).slice(0, 2)).toEqual([joinRef, '3']);
    },
  );

  it('a write of a client that joined without a join_ref is carried out whatever its join_ref', async () => {
    const client = await connectStream(urlOf());
    client.send(null, '2', 'metrics', 'phx_join', {});
    client.send('7', '3', 'metrics', 'set', { topic, value: '37' });
    expect((await client.next('set_result'))[4]).toEqual({ topic, result: 'ok' });
  });

  it.each(['set', 'topics', 'whatever'])(
    'a frame %s with the join_ref of another join is neither carried out nor answered, as by Phoenix',
    async (event) => {
      const client = await join({ topics: [{ topic: 'total/*' }] });
      client.send('5', '6', 'metrics', 'phx_join', { topics: [{ topic: 'total/*' }] });
      await client.next('phx_reply', ([, ref]) => ref === '6');
      await client.next('data');
      const before = device.settings.writes.length;
      for (const joinRef of ['1', 'x'])
        client.send(joinRef, '7', 'metrics', event, { topic, value: '38', topics: [{ topic: 'battery*' }] });
      client.send(null, '8', 'phoenix', 'heartbeat', {});
      await client.next('phx_reply');
      expect(client.frames.at(-1)?.slice(0, 4)).toEqual([null, '8', 'phoenix', 'phx_reply']);
      expect(client.frames.filter(([, ref, , name]) => ref === '7' || name === 'set_result')).toEqual([]);
      expect(device.settings.writes).toHaveLength(before);
      device.plant.publish({ 'total/pv_power': 1_001, 'battery_1/voltage': 50.1 });
      expect(topicsIn(await client.next('data'))).toEqual(['total/pv_power']);
    },
  );

  it.each([
    `["1","3","metrics","set",{"topic":"${topic}","value":"42","value":"43"}]`,
    `["1","3","metrics","set",{"topic":"x","topic":"${topic}","value":"44"}]`,
    `["1","3","metrics","set",{"topic":"${topic}","value":"48","__proto__":{"value":"49"}}]`,
    `{"topic":"metrics","event":"set","payload":{},"payload":{"topic":"${topic}","value":"46"},"ref":"3"}`,
    `{"topic":"metrics","event":"heartbeat","event":"set","payload":{"topic":"${topic}","value":"4"},"ref":"3"}`,
  ])('the ambiguous write %s is refused, and nothing is written', async (text) => {
    const client = await join();
    const before = device.settings.writes.length;
    client.sendText(text);
    expect((await client.next('set_result'))[4]).toMatchObject({
      result: 'error',
      message: 'The frame has a field twice, or text that is none; nothing was changed',
    });
    expect(device.settings.writes).toHaveLength(before);
  });

  it('a write of a topic longer than any is refused without repeating it', async () => {
    const client = await join();
    client.send('1', '3', 'metrics', 'set', { topic: 'x'.repeat(40_000), value: '1' });
    expect((await client.next('set_result'))[4]).toEqual({
      topic: 'x'.repeat(256),
      result: 'error',
      message: 'topic must have at most 256 characters, not 40000',
    });
  });

  it('an internal error is hidden from the client', async () => {
    device.settings.failure = new Error('secret detail');
    const client = await join();
    client.send('1', '3', 'metrics', 'set', { topic, value: '1' });
    expect((await client.next('set_result'))[4]).toEqual({
      topic,
      result: 'error',
      message: 'Internal error',
    });
  });
});

describe('the upgrade', () => {
  it.each([
    ['a wrong password', '/api/websocket?password=wrong', 401],
    ['no credentials', '/api/websocket', 401],
    ['a token that is none', '/api/websocket?token=abc', 401],
    ['another path', '/api/v1/metrics?password=x', 404],
  ])('an upgrade with %s is refused', async (_what, path, status) => {
    expect(await refusedStatus(device.api.url.replace('http', 'ws') + path)).toBe(status);
  });

  it('a Basic header, which browsers add for any page, is not accepted', async () => {
    const headers = { authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}` };
    expect(await refusedStatus(`${device.api.url.replace('http', 'ws')}/api/websocket`, headers)).toBe(401);
  });

  it('a client with a read-only token streams, and its writes are refused with a reason', async () => {
    const cloud = await startTestCloud();
    const own = await startTestDevice({ cloudUrl: cloud.url });
    own.access.site.set(SITE_ID);
    const token = await cloud.siteToken({ access: 'read' });
    const client = await connectStream(
      `${own.api.url.replace('http', 'ws')}/api/websocket?vsn=2.0.0&token=${token}`,
    );
    client.send('1', '2', 'metrics', 'phx_join', {});
    await client.next('data');
    client.send('1', '3', 'metrics', 'set', { topic: 'inverter_1/max_charge_current', value: '1' });
    expect((await client.next('set_result'))[4]).toEqual({
      topic: 'inverter_1/max_charge_current',
      result: 'error',
      message: expect.stringMatching(/^This token may only read/),
    });
    expect(own.settings.writes).toEqual([]);
    await own.stop();
    await cloud.stop();
  });
});
