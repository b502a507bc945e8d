import { isDeepStrictEqual } from 'node:util';
import { Tariff, type TariffBand, type TariffListBody } from '@heliograph/contracts';
import { type Clock, ValidationError } from '@heliograph/kit';
import { dateOf } from '@heliograph/kit/calendar-days';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { localDay } from '../../common/local-time.ts';
import type { KeyValueStore } from '../../storage/key-value.ts';

const KEY = 'tariffs';

const STORED = Compile(Type.Array(Tariff));

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

export interface TariffStoreOptions {
  readonly store: Pick<KeyValueStore, 'json' | 'set'>;
  readonly zone: string;
  readonly clock: Clock;
}

/** The prices that the owner entered. */
export class TariffStore {
  readonly #options: TariffStoreOptions;
  #tariffs: readonly Tariff[];

  constructor(options: TariffStoreOptions) {
    this.#options = options;
    this.#tariffs = options.store.json(KEY, STORED, []);
  }

  /** In the order of their first days. */
  get tariffs(): readonly Tariff[] {
    return this.#tariffs;
  }

  /** @throws ValidationError for tariffs that contradict themselves, and for a change of the past */
  set({ tariffs: sent, reprice: mayReprice = false }: TariffListBody): void {
    const { store, zone, clock } = this.#options;
    for (const [i, tariff] of sent.entries()) check(tariff, `tariffs.${i}`);
    const tariffs = sent.toSorted((a, b) => (a.valid_from < b.valid_from ? -1 : 1));
    const twice = tariffs.find(({ valid_from: date }, i) => tariffs[i + 1]?.valid_from === date);
    if (twice !== undefined) refuse('tariffs', `two begin on ${twice.valid_from}`);
    const changed = mayReprice ? undefined : changedDay(this.#tariffs, tariffs, localDay(clock.now(), zone));
    if (changed !== undefined) {
      refuse(
        'tariffs',
        `would change what ${changed} cost: enter new prices with a later first day, or correct the past expressly`,
      );
    }
    store.set(KEY, JSON.stringify(tariffs));
    this.#tariffs = tariffs;
  }
}

/** The first of the days before today on which prices differ from those that applied; undefined where none do. */
function changedDay(before: readonly Tariff[], after: readonly Tariff[], today: number): string | undefined {
  const dates = [...before, ...after].map(({ valid_from: date }) => date);
  return dates.toSorted().find((date) => {
    const old = tariffOn(before, date);
    return (
      (dateOf(date) ?? Infinity) < today &&
      old !== undefined &&
      !isDeepStrictEqual(old, tariffOn(after, date))
    );
  });
}

function tariffOn(tariffs: readonly Tariff[], date: string): Tariff | undefined {
  return tariffs.findLast(({ valid_from: from }) => from <= date);
}

function check(tariff: Tariff, path: string): void {
  const dates = [tariff.valid_from, ...(tariff.holidays ?? [])];
  const unknown = dates.find((date) => dateOf(date) === undefined);
  if (unknown !== undefined) refuse(path, `there is no ${unknown}`);
  if (!CURRENCIES.has(tariff.currency)) refuse(`${path}.currency`, 'is no currency');
  checkBands(tariff.import, `${path}.import`);
  checkBands(tariff.export, `${path}.export`);
}

function checkBands(bands: readonly TariffBand[], path: string): void {
  const { price, name, ...conditions } = bands.at(-1) ?? { price: 0 };
  if (Object.keys(conditions).length > 0) refuse(path, 'the last band must apply always');
  for (const [i, { from_hour: from, to_hour: to, weekdays, holidays }] of bands.entries()) {
    if (from !== undefined && (to ?? 24) === from) refuse(`${path}.${i}.to_hour`, 'must not be from_hour');
    if (holidays !== undefined && weekdays === undefined)
      refuse(`${path}.${i}.holidays`, 'needs weekdays: without them every day is meant');
  }
}

function refuse(field: string, message: string): never {
  throw new ValidationError({ [field]: [message] });
}
