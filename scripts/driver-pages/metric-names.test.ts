import { readTexts } from '@heliograph/locales/read';
import { expect, it } from 'vitest';
import { loadFamilies } from '../../apps/device/src/drivers/families/families.ts';
import { namePartsOf } from '../../apps/web/src/shared/metric-names/text-key.ts';

const families = [...(await loadFamilies()).values()];
const { names = {} } = readTexts('en').metricNames ?? {};

/** Metrics that pages show, with the families that have them; settings are named where they are changed. */
const familiesOfName = Map.groupBy(
  families.flatMap(({ name: family, describedUnits }) =>
    describedUnits.flatMap(({ rows }) =>
      rows
        .filter(({ quantity: { group } }) => group === 'Status' || group === 'Info')
        .map(({ quantity: { name } }) => ({ name, family })),
    ),
  ),
  ({ name }) => name,
);

/** A name of so many families is translated: rarer ones stay as the hardware has them. */
const COMMON = 8;

it('every name of a metric that many families have is in the catalogue of names', () => {
  const missing = [...familiesOfName]
    .filter(([, rows]) => new Set(rows.map(({ family }) => family)).size >= COMMON)
    .map(([name]) => name)
    .filter((name) => !Object.hasOwn(Object(names), namePartsOf(name).key));
  expect(missing).toEqual([]);
});
