import { defineMetric, definitionRow, discoveryFields, type Quantity, quantities } from '@heliograph/metrics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ruleOf } from './control-rule.ts';
import { draftOf, expectedValue, isOn, payloadOf } from './drafts.ts';
import { timeStepMinutes } from './time-step.ts';

const MODE = quantities.selectSetting('Work mode', ['Selling first', 'Zero export to load']);
const TIMER = quantities.switchSetting('Use timer');
const TIME = quantities.timeSetting('Time point 1', 5);
const GRID_CHARGE: Quantity = {
  name: 'Grid charge',
  group: 'Settings',
  unit: 'Enabled',
  setting: { kind: 'switch', on: 'Enabled', off: 'Disabled' },
};

/** As the stream reports it. */
function reported(quantity: Quantity) {
  const definition = defineMetric('inverters', 0, quantity);
  return { ...definitionRow(definition), ...discoveryFields(definition) };
}

function controlOf(quantity: Quantity) {
  const rule = ruleOf(reported(quantity));
  if (rule === null) throw new Error(`${quantity.name} has no control`);
  return rule;
}

describe('the control of a setting', () => {
  it.each([
    [quantities.numberSetting('Max charge current', 'A', { min: 0, max: 100, step: 1 }), 'number'],
    [MODE, 'select'],
    [TIME, 'time'],
    [TIMER, 'switch'],
    [{ ...quantities.selectSetting('Odd times', ['08:00', 'never']), unit: 'hhmm' as const }, 'select'],
  ])('the setting $name has a %s', (quantity, kind) => {
    expect(controlOf(quantity).kind).toBe(kind);
  });

  it('a value that can only be read has no control', () => {
    expect(ruleOf(reported(quantities.power('PV power')))).toBeNull();
  });
});

describe('drafts', () => {
  it.each([
    [MODE, 'Selling first', 'Selling first'],
    [MODE, null, ''],
    [TIME, '16:35:00', '16:35'],
    [TIME, '16:35', '16:35'],
    [TIME, 'never', ''],
    [TIMER, true, 'true'],
    [TIMER, null, ''],
    [GRID_CHARGE, 'disabled', 'Disabled'],
  ])('the draft of $name = %s is its text', (quantity, value, draft) => {
    expect(draftOf(controlOf(quantity), value, '.')).toBe(draft);
  });

  it.each([
    [MODE, 'Zero export to load', { payload: 'Zero export to load' }],
    [MODE, 'Something else', { problem: 'notOption' }],
    [TIME, '05:35', { payload: '05:35:00' }],
    [TIME, '05:33', { problem: 'notOption' }],
    [TIME, '', { problem: 'notOption' }],
    [GRID_CHARGE, 'Enabled', { payload: 'Enabled' }],
  ])('the draft of $name "%s" is sent as the device has it, or not at all', (quantity, draft, sent) => {
    expect(payloadOf(controlOf(quantity), draft, '.')).toEqual(sent);
  });

  it('every option is sent as it is, and becomes the same draft again', () => {
    const options = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 });
    fc.assert(
      fc.property(options, fc.nat(), (texts, at) => {
        const rule = { kind: 'select' as const, options: texts };
        const option = texts[at % texts.length] ?? '';
        expect(payloadOf(rule, draftOf(rule, option, '.'), '.')).toEqual({ payload: option });
      }),
    );
  });

  it('a time is sent only if the device offers it', () => {
    const rule = controlOf(TIME);
    const options = rule.kind === 'time' ? rule.options : [];
    expect(options.map((option) => payloadOf(rule, draftOf(rule, option, '.'), '.'))).toEqual(
      options.map((payload) => ({ payload })),
    );
  });
});

describe('isOn', () => {
  it.each([
    [true, true],
    ['Enabled', true],
    ['on', true],
    ['1', true],
    [1, true],
    [false, false],
    ['DISABLED', false],
    ['off', false],
    [null, null],
    ['neither', null],
  ])('a switch that is reported as %s is %s', (value, on) => {
    expect(isOn({ on: 'Enabled', off: 'Disabled' }, value)).toBe(on);
  });
});

describe('expectedValue', () => {
  it.each([
    [TIMER, 'true', true],
    [TIMER, 'false', false],
    [MODE, 'Selling first', 'Selling first'],
    [quantities.numberSetting('Float voltage', 'V', { min: 48, max: 58.4, step: 0.1 }, 1), '54.3', 54.3],
  ])('the value of $name after %s is known', (quantity, payload, value) => {
    expect(expectedValue(controlOf(quantity), payload)).toBe(value);
  });
});

describe('timeStepMinutes', () => {
  it.each([
    [['00:00', '00:15', '00:30'], 15],
    [['00:00:00', '00:05:00'], 5],
    [['00:00', '00:05', '00:12'], 1],
    [['00:10', '00:40'], 1],
    [[], 1],
  ])('the times %j are so many minutes apart', (options, minutes) => {
    expect(timeStepMinutes(options)).toBe(minutes);
  });
});
