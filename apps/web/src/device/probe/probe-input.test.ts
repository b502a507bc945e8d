import { describe, expect, it } from 'vitest';
import { bodyOf, EVERYWHERE, TYPED } from './probe-input.ts';

describe('bodyOf', () => {
  it.each([
    [{ place: EVERYWHERE, address: 'modbus-tcp://left.over', driver: '' }, {}],
    [
      { place: TYPED, address: ' modbus-tcp://192.168.1.20 ', driver: '' },
      { bus: 'modbus-tcp://192.168.1.20' },
    ],
    [
      { place: 'serial:///dev/ttyUSB0', address: '', driver: 'pylontech' },
      { bus: 'serial:///dev/ttyUSB0', driver: 'pylontech' },
    ],
  ])('the input %j becomes a request', (input, body) => expect(bodyOf(input)).toEqual(body));
});
