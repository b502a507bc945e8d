import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChannelFrame, decodeFrame, encodeFrame, framingOf, framingOfFrame } from './channel-frame.ts';

const frame = (
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: Record<string, unknown>,
): ChannelFrame => ({ joinRef, ref, topic, event, payload });

const OK = { status: 'ok', response: {} };
const PV_POWER = {
  topic: 'total/pv_power',
  device: 'totals',
  number: null,
  group: 'Status',
  name: 'PV power',
  unit: 'W',
  platform: 'sensor',
  device_class: 'power',
  state_class: 'measurement',
  unit_of_measurement: 'W',
};
const SITE_ID = {
  topic: 'system/site_id',
  device: 'system',
  number: null,
  group: 'Info',
  name: 'Site ID',
  unit: '',
  value: 19489,
};

// A conversation as existing clients hold it, byte for byte.
const CONVERSATION: readonly (readonly [string, ChannelFrame])[] = [
  [
    '["1","2","metrics","phx_join",{"topics":[{"topic":"total/*"}]}]',
    frame('1', '2', 'metrics', 'phx_join', { topics: [{ topic: 'total/*' }] }),
  ],
  [
    '["1","2","metrics","phx_reply",{"status":"ok","response":{}}]',
    frame('1', '2', 'metrics', 'phx_reply', OK),
  ],
  [
    '["1",null,"metrics","system",{"metrics":[{"topic":"system/site_id","device":"system","number":null,"group":"Info","name":"Site ID","unit":"","value":19489}]}]',
    frame('1', null, 'metrics', 'system', { metrics: [SITE_ID] }),
  ],
  [
    '["1",null,"metrics","definition",{"definitions":[{"topic":"total/pv_power","device":"totals","number":null,"group":"Status","name":"PV power","unit":"W","platform":"sensor","device_class":"power","state_class":"measurement","unit_of_measurement":"W"}]}]',
    frame('1', null, 'metrics', 'definition', { definitions: [PV_POWER] }),
  ],
  [
    '["1",null,"metrics","data",{"metrics":[{"topic":"total/pv_power","value":1240}]}]',
    frame('1', null, 'metrics', 'data', { metrics: [{ topic: 'total/pv_power', value: 1240 }] }),
  ],
  [
    '["3","5","metrics","set",{"topic":"inverter_1/max_charge_current","value":"40"}]',
    frame('3', '5', 'metrics', 'set', { topic: 'inverter_1/max_charge_current', value: '40' }),
  ],
  [
    '["3",null,"metrics","set_result",{"topic":"inverter_1/max_charge_current","result":"ok"}]',
    frame('3', null, 'metrics', 'set_result', { topic: 'inverter_1/max_charge_current', result: 'ok' }),
  ],
  ['["","6","phoenix","heartbeat",{}]', frame('', '6', 'phoenix', 'heartbeat', {})],
  [
    '[null,"6","phoenix","phx_reply",{"status":"ok","response":{}}]',
    frame(null, '6', 'phoenix', 'phx_reply', OK),
  ],
];

describe('array frames', () => {
  it.each(CONVERSATION)('%s is written and read', (bytes, expected) => {
    expect(encodeFrame(expected, 'array')).toBe(bytes);
    expect(decodeFrame(bytes)).toEqual(expected);
  });
});

describe('object frames', () => {
  it('object frames are encoded and decoded', () => {
    const bytes =
      '{"topic":"metrics","event":"phx_reply","payload":{"status":"ok","response":{}},"ref":"2","join_ref":"1"}';
    expect(encodeFrame(frame('1', '2', 'metrics', 'phx_reply', OK), 'object')).toBe(bytes);
    expect(decodeFrame(bytes)).toEqual(frame('1', '2', 'metrics', 'phx_reply', OK));
  });

  it('object frames may omit the join reference and use numeric references', () => {
    expect(decodeFrame('{"topic":"metrics","event":"join","payload":{},"ref":1}')).toEqual(
      frame(null, '1', 'metrics', 'join', {}),
    );
  });
});

it.each([
  ['2.0.0', 'array'],
  ['2.1.0', 'array'],
  ['1.0.0', 'object'],
  ['3.0.0', undefined],
  ['20.0.0', undefined],
  ['latest', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('vsn %j asks for %s frames', (vsn, framing) => {
  expect(framingOf(vsn)).toBe(framing);
});

it.each([
  ['', 'nothing'],
  ['{', 'broken JSON'],
  ['null', 'null'],
  ['"text"', 'a text'],
  ['[]', 'an empty array'],
  ['["1","2","metrics","phx_join"]', 'too short an array'],
  ['["1","2","metrics","phx_join",{},0]', 'too long an array'],
  ['["1","2",3,"phx_join",{}]', 'a topic that is no text'],
  ['["1","2","metrics",null,{}]', 'an event that is no text'],
  ['{"topic":"metrics"}', 'an object without an event'],
])('%s is no frame: %s', (text) => {
  expect(decodeFrame(text)).toBeNull();
});

it.each(['null', '[]', '"x"', '7'])('a payload %s counts as empty', (payload) => {
  expect(decodeFrame(`["1","2","metrics","phx_join",${payload}]`)?.payload).toEqual({});
});

it('any frame survives both framings, whatever is in it', () => {
  const ref = fc.option(fc.string(), { nil: null });
  const payload = fc.dictionary(
    fc.string().filter((key) => key !== '__proto__'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(ref, ref, fc.string(), fc.string(), payload, (joinRef, own, topic, event, body) => {
      const clean = JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
      const sent = frame(joinRef, own, topic, event, clean);
      for (const framing of ['array', 'object'] as const)
        expect(decodeFrame(encodeFrame(sent, framing))).toEqual(sent);
    }),
  );
});

it('no text makes reading throw', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void decodeFrame(text)));
});

it.each([
  ['["1","2","metrics","phx_join",{}]', 'array'],
  [' \n["1","2","metrics","phx_join",{}]', 'array'],
  ['{"topic":"metrics","event":"phx_join","payload":{}}', 'object'],
])('the frame %j is one of %s framing', (text, framing) => {
  expect(framingOfFrame(text)).toBe(framing);
});
