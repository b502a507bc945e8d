import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame } from '../ascii-frame/frame.ts';
import { refusalText } from '../ascii-frame/return-codes.ts';
import { readingOf } from '../entries.ts';
import { BadFrame, RequestRefused } from '../frame-errors.ts';
import type { ModuleAnswer } from './analog.ts';
import { encodeRequest, parseAnswer } from './answers.ts';
import { COMMAND, type Command } from './commands.ts';

const answer = (command: Command, info: readonly number[], all = false): readonly ModuleAnswer[] =>
  parseAnswer(
    { command, address: 2, all },
    { version: 0x20, address: 2, code: 0, info: Uint8Array.from(info) },
  );
const reading = ({ entries }: ModuleAnswer) => Object.fromEntries(readingOf(entries));

/** Four cells, two temperatures, 1.5 A out of the battery, 13.2 V, 20 of 50 Ah after 7 cycles. */
const CELLS = [4, ...[0x0ce4, 0x0ce4, 0x0ce5, 0x0ce3].flatMap((mv) => [mv >> 8, mv & 0xff])];
const TEMPERATURES = [2, 0x0b, 0x91, 0x0a, 0xab];
const REST = [0xff, 0xf1, 0x33, 0x90, 0x4e, 0x20, 2, 0xc3, 0x50, 0, 7];
const MODULE = [...CELLS, ...TEMPERATURES, ...REST];
const NORMAL = [4, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0x0e, 0x40, 0, 0];

describe('Pylontech frames', () => {
  it.each([
    ['all of a group', { command: COMMAND.analog, address: 2, all: true }, '~20024642E002FFFD09\r'],
    ['one module', { command: COMMAND.analog, address: 2 }, '~20024642E00202FD33\r'],
    ['its limits', { command: COMMAND.management, address: 2 }, '~20024692E00202FD2E\r'],
  ])('the request %s has the frame that real batteries answer', (_what, request, frame) => {
    expect(Buffer.from(encodeRequest(request)).toString('latin1')).toBe(frame);
  });

  it.each([0, 1, 9, 128, 2_047])('a frame of %i bytes decodes from its encoding', (length) => {
    const info = Uint8Array.from({ length }, (_, index) => index & 0xff);
    const frame = decodeFrame(encodeFrame({ version: 0x20, address: 0x12, code: 0x42, info }));
    expect(frame).toMatchObject({ version: 0x20, address: 0x12, code: 0x42 });
    expect([...frame.info]).toEqual([...info]);
  });
});

describe('parseAnalog', () => {
  it('the values of all modules are in the order of their addresses', () => {
    const modules = answer(COMMAND.analog, [0, 2, ...MODULE, ...MODULE], true);
    expect(modules.map(({ address }) => address)).toEqual([2, 3]);
    expect(modules.map(reading)[1]).toMatchObject({
      Voltage: 13.2,
      Current: -1.5,
      Power: -20,
      Temperature: 23,
      'Temperature 1': 0,
      Capacity: 50,
      'Charge capacity': 20,
      'State of charge': 40,
      Cycles: 7,
      'Cell voltage - Imbalance': 0.002,
    });
  });

  it('a sensor at absolute zero is null', () => {
    const [module] = answer(COMMAND.analog, [0, 2, ...CELLS, ...TEMPERATURES.with(3, 0).with(4, 0), ...REST]);
    expect(module && reading(module)).toMatchObject({ Temperature: 23, 'Temperature 1': null });
  });

  it('the state of charge of a battery without capacity is null', () => {
    const empty = [...REST.slice(0, 7), 0, 0, 0, 7];
    const [module] = answer(COMMAND.analog, [0, 2, ...CELLS, ...TEMPERATURES, ...empty]);
    expect(module && reading(module)['State of charge']).toBeNull();
  });

  it.each([
    ['are more than is known', [0, 2, ...MODULE, 0]],
    ['end too soon', [0, 2, ...MODULE.slice(0, -1)]],
    ['are of another battery', [0, 3, ...MODULE]],
    ['are of no cell', [0, 2, 0, ...MODULE.slice(9)]],
    ['hold unknown items', [0, 2, ...CELLS, ...TEMPERATURES, ...REST.with(6, 3)]],
  ])('values that %s are rejected', (_what, info) => {
    expect(() => answer(COMMAND.analog, info)).toThrow(BadFrame);
  });
});

describe('parseAlarms', () => {
  it.each([
    ['nothing', NORMAL, 'None', 'Discharging'],
    ['a cell', NORMAL.with(3, 2), 'Cell 3 above its upper limit', 'Discharging'],
    ['a cold board', NORMAL.with(6, 1), 'BMS temperature below its lower limit', 'Discharging'],
    ['a hot group of cells', NORMAL.with(7, 2), 'Temperature 1 above its upper limit', 'Discharging'],
    ['the charge current', NORMAL.with(8, 0xf0), 'Charge current faulty', 'Discharging'],
    ['an unknown trouble', NORMAL.with(9, 7), 'Voltage in trouble (7)', 'Discharging'],
    ['two protections', NORMAL.with(11, 0x82), 'Cell under voltage, Module under voltage', 'Discharging'],
    ['failed cells', NORMAL.with(14, 0x04).with(15, 0x40), 'Cell 3 failed, Cell 15 failed', 'Discharging'],
    ['a full battery', NORMAL.with(13, 0x08), 'None', 'Full'],
    ['a battery at rest', NORMAL.with(13, 0), 'None', 'Idle'],
  ])('the alarms list %s', (_what, block, alarms, chargeState) => {
    const [module] = answer(COMMAND.alarms, [0, 2, ...block]);
    expect(module && reading(module)).toMatchObject({ Alarms: alarms, 'Charge state': chargeState });
  });

  it('the alarms of all modules decode from one answer', () => {
    const modules = answer(COMMAND.alarms, [0, 2, ...NORMAL, ...NORMAL.with(3, 2)], true);
    expect(modules.map((module) => reading(module).Alarms)).toEqual(['None', 'Cell 3 above its upper limit']);
  });

  it('measured values do not decode as alarms', () => {
    expect(() => answer(COMMAND.alarms, [0, 2, ...MODULE])).toThrow(BadFrame);
    expect(() => answer(COMMAND.analog, [0, 2, ...NORMAL])).toThrow(BadFrame);
  });
});

it.each([
  [0x04, 'does not know this command'],
  [0x90, 'no battery has this address'],
  [0x77, 'the battery refuses (return code 77)'],
])('return code %i has a reason in plain words: %s', (code, text) => {
  const frame = { version: 0x20, address: 2, code, info: new Uint8Array() };
  const refused = () => parseAnswer({ command: COMMAND.analog, address: 2 }, frame);
  expect(refused).toThrow(RequestRefused);
  expect(refused).toThrow(text);
  expect(refusalText(code)).toContain(text);
});
