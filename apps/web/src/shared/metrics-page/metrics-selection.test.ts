import { expect, it } from 'vitest';
import { searchOf, selectionOf } from './metrics-selection.ts';

it.each([
  { search: 'cell voltage', subject: 'cells', open: ['battery_1', 'battery_2'] },
  { search: '', subject: undefined, open: [] },
  { search: '', subject: undefined, open: undefined },
] as const)('the address of %o leads to the same values again', (selection) => {
  expect(selectionOf(searchOf(selection))).toEqual(selection);
});

it('an unknown subject in the address is ignored', () => {
  expect(selectionOf('subject=wine').subject).toBeUndefined();
});
