import { readTexts } from '@heliograph/locales/read';
import { slotOf } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { loadFamilies } from '../../apps/device/src/drivers/families/families.ts';
import { textKey } from '../../apps/web/src/shared/metric-names/text-key.ts';

/** Options that are the same in every language: products, voltages, abbreviations of makers. */
const SAME_EVERYWHERE =
  /^(?:\d+ Hz|AGM|AGM 14\.7|Gel .*|LiFePO4 .*|Tubular .*|SBU|SUB|UPS|Eco|Phase \d of \d)$/;

const families = [...(await loadFamilies()).values()];
const { names = {}, options = {} } = readTexts('en').settingNames ?? {};

/** The names of which the name of a setting is made: "Grid charge slot 2 start" is a table and a column. */
function partsOf(name: string): readonly string[] {
  if (textKey(name) in Object(names)) return [name];
  const slot = slotOf(name);
  return slot === undefined ? [name] : [slot.field, slot.table].filter((part) => part !== '');
}

function settingsOf(family: (typeof families)[number]) {
  return family.describedUnits
    .flatMap(({ rows }) => rows.map(({ quantity }) => quantity))
    .filter(({ group }) => group === 'Settings');
}

describe.each(families.filter((family) => settingsOf(family).length > 0))('$name', (family) => {
  const settings = settingsOf(family);

  it('every setting has a name in all languages', () => {
    const parts = settings.flatMap(({ name }) => partsOf(name));
    expect(parts.filter((part) => !(textKey(part) in Object(names)))).toEqual([]);
  });

  it('every option has a text in all languages', () => {
    const all = settings.flatMap(({ setting, unit }) =>
      setting?.kind === 'select' && unit !== 'hhmm' ? setting.options : [],
    );
    const missing = all.filter(
      (option) => !SAME_EVERYWHERE.test(option) && !(textKey(option) in Object(options)),
    );
    expect([...new Set(missing)]).toEqual([]);
  });
});

it('the catalogue has no name and no option that no driver has', () => {
  const all = families.flatMap(settingsOf);
  const known = new Set(all.flatMap(({ name }) => partsOf(name)).map(textKey));
  const offered = new Set(
    all.flatMap(({ setting }) => (setting?.kind === 'select' ? setting.options : [])).map(textKey),
  );
  expect(Object.keys(names).filter((key) => !known.has(key))).toEqual([]);
  expect(Object.keys(options).filter((key) => !offered.has(key))).toEqual([]);
});
