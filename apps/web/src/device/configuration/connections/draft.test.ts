import type { ConnectionSettings } from '@heliograph/client';
import { describe, expect, it } from 'vitest';
import { draftOf, isSame, withAdded, withChanged, withMoved, without } from './draft.ts';

const connection = (bus: string, options = {}): ConnectionSettings => ({
  driver: 'sunspec',
  bus,
  unit: null,
  options,
});
const A = connection('modbus-tcp://a');
const B = connection('modbus-tcp://b');
const C = connection('modbus-tcp://c');

const orderOf = (drafts: ReturnType<typeof draftOf>) => drafts.map((draft) => draft.connection);

describe('connections that are being edited', () => {
  it('move by one place, and not beyond the ends', () => {
    const drafts = draftOf([A, B, C]);
    expect(orderOf(withMoved(drafts, 2, -1))).toEqual([A, C, B]);
    expect(orderOf(withMoved(drafts, 0, 1))).toEqual([B, A, C]);
    expect(withMoved(drafts, 0, -1)).toBe(drafts);
    expect(withMoved(drafts, 2, 1)).toBe(drafts);
  });

  it('keep their keys apart when some went before others came', () => {
    const drafts = withAdded(without(draftOf([A, B]), 0), C);
    expect(drafts.map(({ key }) => key)).toEqual([1, 2]);
    expect(orderOf(withChanged(drafts, 1, A))).toEqual([A, C]);
  });

  it('begin with none', () => {
    expect(withAdded([], A)).toEqual([{ key: 0, connection: A }]);
  });

  it('are the same as before when nothing is left of a change', () => {
    const drafts = draftOf([A, B]);
    expect(isSame(drafts, [A, B])).toBe(true);
    expect(isSame(withMoved(drafts, 0, 1), [A, B])).toBe(false);
    expect(isSame(withMoved(withMoved(drafts, 0, 1), 0, -1), [A, B])).toBe(true);
    expect(isSame(without(drafts, 1), [A, B])).toBe(false);
    expect(isSame(withChanged(drafts, 0, { ...A, unit: 3 }), [A, B])).toBe(false);
  });

  it('do not differ by the order of their options', () => {
    const drafts = draftOf([connection('x', { a: 1, b: 2 })]);
    expect(isSame(drafts, [connection('x', { b: 2, a: 1 })])).toBe(true);
  });
});
