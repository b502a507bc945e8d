import { expect, it } from 'vitest';
import { nameOrder } from './name-order.ts';

it.each([
  ['sv', ['Zorn', 'Öberg', 'Ärlig', 'Åberg', 'Adam'], ['Adam', 'Zorn', 'Åberg', 'Ärlig', 'Öberg']],
  [
    'de',
    ['Zorn', 'Öhler', 'Ärlig', 'Adam', 'Azur', 'Ohm'],
    ['Adam', 'Ärlig', 'Azur', 'Öhler', 'Ohm', 'Zorn'],
  ],
  ['da', ['Aalborg', 'Ærø', 'Zealand', 'Ødis'], ['Zealand', 'Ærø', 'Ødis', 'Aalborg']],
  ['nl', ['Izegem', 'IJsselstein', 'ijskoud', 'Ieper'], ['Ieper', 'ijskoud', 'IJsselstein', 'Izegem']],
  ['cs', ['Cheb', 'Hora', 'Čáslav', 'Cukr'], ['Cukr', 'Čáslav', 'Hora', 'Cheb']],
  ['en', ['Dach 10', 'dach 2', 'Dach 2', 'Dach 1'], ['Dach 1', 'dach 2', 'Dach 2', 'Dach 10']],
  ['el', ['Ωμέγα', 'άλφα', 'Βήτα'], ['άλφα', 'Βήτα', 'Ωμέγα']],
])('names are in the order of the language %s', (locale, names, sorted) => {
  expect(names.toSorted(nameOrder(locale))).toEqual(sorted);
});
