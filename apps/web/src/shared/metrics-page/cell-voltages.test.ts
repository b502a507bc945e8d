import { expect, it } from 'vitest';
import { barHeight, cellTopics, cellVoltages } from './cell-voltages.ts';

it('cells are in the order of their numbers, without averages and temperatures', () => {
  const topics = ['cell_voltage_10', 'cell_voltage_2', 'cell_voltage_-_highest', 'cell_temperature_1'];
  expect(cellTopics(topics.map((name) => ({ topic: `battery_1/${name}` })))).toEqual([
    'battery_1/cell_voltage_2',
    'battery_1/cell_voltage_10',
  ]);
});

it('lowest, highest and spread leave unknown cells out', () => {
  expect(cellVoltages([3.31, null, 3.282, 3.305])).toMatchObject({
    lowest: 3.282,
    highest: 3.31,
    spreadMv: 28,
  });
  expect(cellVoltages([null, null])).toBeUndefined();
});

it('cells that hardly differ have bars of almost the same height, and the extremes of others fill the scale', () => {
  const near = cellVoltages([3.31, 3.312]) ?? expect.fail();
  expect(barHeight(3.312, near) - barHeight(3.31, near)).toBeLessThan(0.05);
  const apart = cellVoltages([3.1, 3.4]) ?? expect.fail();
  expect([barHeight(3.1, apart), barHeight(3.4, apart)]).toEqual([0.15, 1]);
});
