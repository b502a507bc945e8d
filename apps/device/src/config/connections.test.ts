import { describe, expect, it } from 'vitest';
import { problems, settings } from '../../test/config/check-text.ts';

const connections = (...entries: string[]): string =>
  ['connections:', ...entries.map((entry) => `  - {${entry}}`)].join('\n');

describe('checkConnection', () => {
  it('an inverter is remembered by its address, however its line is set', () => {
    const url = (bus: string) =>
      settings(connections(`driver: chooser, bus: "${bus}", unit: 1`)).connections[0]?.url;
    expect(url('modbus-rtu:///dev/ttyUSB0?baud=19200&parity=even')).toBe(url('modbus-rtu:///dev/ttyUSB0'));
    expect(url('modbus-tcp://10.0.0.2:502')).toBe(url('modbus-tcp://10.0.0.2'));
    expect(url('modbus-tcp://10.0.0.2:503')).not.toBe(url('modbus-tcp://10.0.0.2'));
  });
});

it('a connection may name how long an answer may take', () => {
  const entry = (more: string) =>
    connections(`driver: chooser, bus: "modbus-tcp://10.0.0.2", unit: 1${more}`);
  expect(settings(entry(', answer_timeout_s: 4.5')).connections[0]).toMatchObject({ answerTimeoutMs: 4_500 });
  expect(settings(entry('')).connections[0]).not.toHaveProperty('answerTimeoutMs');
});

describe('checkConnection with an invalid entry', () => {
  it.each([
    [
      'a time for answers out of range',
      ['driver: chooser, bus: "modbus-tcp://h", answer_timeout_s: 11'],
      /answer_timeout_s: must be from 0.2 to 10, not 11$/,
    ],
    [
      'two times for the answers of one bus',
      [
        'driver: chooser, bus: "modbus-tcp://h", unit: 1, answer_timeout_s: 5',
        'driver: chooser, bus: "modbus-tcp://h", unit: 2',
      ],
      /^3:\d+ connections\[1\].answer_timeout_s: this bus is used by connections\[0\] too, which has another/,
    ],
    [
      'an unknown driver',
      ['driver: sunspc, bus: "modbus-tcp://h"'],
      /^2:14 connections\[0\].driver: there is no driver "sunspc"; did you mean "sunspec"\?$/,
    ],
    [
      'a driver far from any',
      ['driver: telepathy, bus: "modbus-tcp://h"'],
      /there is no driver "telepathy"; there is sunspec, talker, chooser$/,
    ],
    [
      'a missing port',
      ['driver: chooser, bus: "modbus-rtu-tcp://h"'],
      /^2:28 connections\[0\].bus: the address names no port/,
    ],
    ['a missing bus', ['driver: chooser'], /^2:5 connections\[0\].bus: is missing$/],
    [
      'a bus that the driver cannot use',
      ['driver: talker, bus: "modbus-tcp://h"'],
      /bus: talker is not reached by modbus-tcp, but by serial, hid$/,
    ],
    [
      'a unit out of range',
      ['driver: chooser, bus: "modbus-tcp://h", unit: 256'],
      /unit: must be from 0 to 255, not 256$/,
    ],
    [
      'a role where there is no meter',
      ['driver: chooser, bus: "modbus-tcp://h", role: grid'],
      /role: chooser reads no meter, and only a meter has a role: take this line out$/,
    ],
    [
      'a reversed meter where there is none',
      ['driver: chooser, bus: "modbus-tcp://h", reversed: true'],
      /reversed: chooser reads no meter, and only a meter is reversed: take this line out$/,
    ],
    [
      'a role that is none',
      ['driver: sunspec, bus: "modbus-tcp://h", role: roof'],
      /role: must be grid, pv, load, battery or generator, not "roof"$/,
    ],
    [
      'an option that the driver has not',
      ['driver: chooser, bus: "modbus-tcp://h", options: {phase: 3}'],
      /options.phase: there is no option of this name; did you mean "phases"\?$/,
    ],
    [
      'an option out of range',
      ['driver: chooser, bus: "modbus-tcp://h", options: {phases: 2}'],
      /options.phases: must be 1 or 3, not 2$/,
    ],
    [
      'an option that is none of a choice',
      ['driver: chooser, bus: "modbus-tcp://h", options: {wires: thick}'],
      /options.wires: must be long or short, not "thick"$/,
    ],
    [
      'an option where there are none',
      ['driver: sunspec, bus: "modbus-tcp://h", options: {a: 1}'],
      /options.a: there is no option of this name; sunspec takes none$/,
    ],
    [
      'a unit where hardware has none',
      ['driver: talker, bus: "serial:///dev/a", unit: 2'],
      /^2:46 connections\[0\].unit: talker speaks to hardware that has no unit: take this line out$/,
    ],
    [
      'two on a line for one',
      ['driver: talker, bus: "serial:///dev/a"', 'driver: talker, bus: "serial:///dev/a"'],
      /^3:\d+ connections\[1\].bus: this bus is used by connections\[0\] too, and hardware of talker has a line to itself$/,
    ],
    [
      'the same unit twice',
      [
        'driver: chooser, bus: "modbus-tcp://h:502", unit: 1',
        'driver: sunspec, bus: "modbus-tcp://H", unit: 1',
      ],
      /^3:\d+ connections\[1\].unit: unit 1 of this bus is there already, as connections\[0\]$/,
    ],
    [
      'a shared bus without units',
      ['driver: chooser, bus: "modbus-tcp://h", unit: 1', 'driver: chooser, bus: "modbus-tcp://h"'],
      /^3:\d+ connections\[1\].unit: this bus is used by connections\[0\] too: each of them must say its "unit"$/,
    ],
    [
      'a port that is set in two ways',
      ['driver: chooser, bus: "modbus-rtu:///dev/a", unit: 1', 'driver: talker, bus: "serial:///dev/a"'],
      /^3:\d+ connections\[1\].bus: \/dev\/a is used by connections\[0\] already, and set otherwise there/,
    ],
  ])('%s', (_what, entries, expected) => {
    expect(problems(connections(...entries))).toEqual([expect.stringMatching(expected)]);
  });

  it.each([
    [
      'units behind one gateway',
      ['driver: chooser, bus: "modbus-tcp://h", unit: 1', 'driver: chooser, bus: "modbus-tcp://h", unit: 2'],
    ],
    [
      'units on one port',
      [
        'driver: chooser, bus: "modbus-rtu:///dev/a", unit: 1',
        'driver: chooser, bus: "modbus-rtu:///dev/a?baud=9600", unit: 2',
      ],
    ],
    [
      'the same unit id on two buses',
      ['driver: chooser, bus: "modbus-tcp://h", unit: 1', 'driver: chooser, bus: "modbus-tcp://g", unit: 1'],
    ],
  ])('the entries are accepted: %s', (_what, entries) => {
    expect(problems(connections(...entries))).toEqual([]);
  });
});
