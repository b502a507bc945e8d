import type { ConnectionSettings } from '@heliograph/client';
import { describe, expect, it } from 'vitest';
import { draftOf, isSame, withAdded, withChanged, withMoved, without } from './draft.ts';

const connection = (bus: string, options = {}): ConnectionSettings => ({
  driver: 'sunspec',
  bus,
  unit: null,
  role: null,
  options,
});
const A = connection('modbus-tcp://a');
const B = connection('modbus-tcp://b');
const C = connection('modbus-tcp://c');

const orderOf = (drafts: ReturnType<typeof draftOf>) => drafts.map((draft) => draft.connection);

describe('drafts of connections', () => {
  it('a draft moves by one place, and not beyond the ends', () => {
    const drafts = draftOf([A, B, C]);
    expect(orderOf(withMoved(drafts, 2, -1))).toEqual([A, C, B]);
    expect(orderOf(withMoved(drafts, 0, 1))).toEqual([B, A, C]);
    expect(withMoved(drafts, 0, -1)).toBe(drafts);
    expect(withMoved(drafts, 2, 1)).toBe(drafts);
  });

  it('a draft added after a removal has a key of its own', () => {
    const drafts = withAdded(without(draftOf([A, B]), 0), C);
    expect(drafts.map(({ key }) => key)).toEqual([1, 2]);
    expect(orderOf(withChanged(drafts, 1, A))).toEqual([A, C]);
  });

  it('the first draft of an empty list has a key', () => {
    expect(withAdded([], A)).toEqual([{ key: 0, connection: A }]);
  });

  it('drafts are unchanged once a change has been reverted', () => {
    const drafts = draftOf([A, B]);
    expect(isSame(drafts, [A, B])).toBe(true);
    expect(isSame(withMoved(drafts, 0, 1), [A, B])).toBe(false);
    expect(isSame(withMoved(withMoved(drafts, 0, 1), 0, -1), [A, B])).toBe(true);
    expect(isSame(without(drafts, 1), [A, B])).toBe(false);
    expect(isSame(withChanged(drafts, 0, { ...A, unit: 3 }), [A, B])).toBe(false);
  });

  it('the order of options is no change', () => {
    const drafts = draftOf([connection('x', { a: 1, b: 2 })]);
    expect(isSame(drafts, [connection('x', { b: 2, a: 1 })])).toBe(true);
  });
});
