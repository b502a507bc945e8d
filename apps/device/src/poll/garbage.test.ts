import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type RecordedUnit, recordedUnit } from '@heliograph/dev/modbus';
import { ManualClock, silentLogger } from '@heliograph/kit';
import type { MetricValue, Quantity } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { TrafficCounter } from '../bus/bus.ts';
import { type ModbusBus, ModbusException } from '../bus/modbus/modbus-bus.ts';
import { loadFamilies } from '../drivers/families/families.ts';
import { addressesOf } from '../drivers/modbus/blocks.ts';
import { type CompiledProfile, compileProfile } from '../drivers/profiles/compiled-profile.ts';
import { readProfile } from '../drivers/profiles/read-profile.ts';
import { ConnectionPoller } from './links/connection-poller.ts';
import { unitKeys } from './units/unit-key.ts';

const DRIVERS = join(import.meta.dirname, '../drivers');
const families = await loadFamilies();
const profiles = globSync(join(DRIVERS, '*/*.yaml')).map((file) => basename(file, '.yaml'));

const POLL_MS = 1_000;
const INPUT = 0x1_0000;
const ILLEGAL_ADDRESS = 2;

/** Contents that a register has for a moment, by its own content and that of the other word of its number. */
const GARBAGE: Readonly<Record<string, (content: number, other: number) => number>> = {
  'a zero': () => 0,
  'all ones': () => 0xffff,
  'the largest number with a sign': () => 0x7fff,
  'the smallest number with a sign': () => 0x8000,
  'the other word of its number': (_content, other) => other,
  'a word of the number after a carry': (content) => (content + 1) & 0xffff,
  'a word of the number before a carry': (content) => (content - 1) & 0xffff,
};

/**
 * The most by which a value that is published may differ from the one before the garbage, in its unit: what hardware may do
 * between two polls, there and back, and for as long as nothing was believed meanwhile.
 */
function mostChange({ unit, deviceClass, stateClass, name }: Quantity): number {
  if (unit === 'kWh' && stateClass === 'total_increasing') {
    return /day|today/i.test(name) ? Number.POSITIVE_INFINITY : 45;
  }
  if (unit === '%' && deviceClass === 'battery') return 70;
  return unit === '°C' ? 85 : Number.POSITIVE_INFINITY;
}

async function unitOf(driver: string): Promise<RecordedUnit> {
  const files = globSync(join(DRIVERS, driver, 'captures/*.json'));
  for (const file of files.toSorted()) {
    try {
      return await recordedUnit(driver, [basename(file, '.json')]);
    } catch {
      // It holds frames alone, such as those of writes.
    }
  }
  return recordedUnit(driver, []);
}

function compiledOf(driver: string): CompiledProfile {
  const read = readProfile(readFileSync(join(DRIVERS, driver, `${driver}.yaml`), 'utf8'));
  if ('mistakes' in read) return expect.fail(`${driver}.yaml has mistakes`);
  return compileProfile(read.profile);
}

/** The registers of the unit, with some contents that are others for a moment. */
function busOf(unit: RecordedUnit, garbage: ReadonlyMap<number, number>): ModbusBus {
  return {
    name: 'memory',
    traffic: new TrafficCounter(),
    roundTripMs: null,
    closesAfterAnswers: false,
    read: async (unitId, address, count, table = 'holding') => {
      const contents = unit.readRange(unitId, address, count, table);
      if (contents === undefined) throw new ModbusException(ILLEGAL_ADDRESS);
      const first = table === 'input' ? INPUT + address : address;
      return contents.map((content, at) => garbage.get(first + at) ?? content);
    },
    write: () => expect.fail('a poll writes nothing'),
    close: async () => {},
  };
}

/** A connection that is polled on demand, as the device polls it. */
function pollerOf(driver: string, bus: ModbusBus) {
  const family = families.get(driver);
  if (family?.speaks !== 'modbus') return expect.fail(`${driver} is no Modbus driver`);
  const clock = new ManualClock(Date.UTC(2026, 5, 21, 12));
  let polled = Promise.withResolvers<void>();
  let next = Promise.withResolvers<void>();
  const poller = new ConnectionPoller({
    url: driver,
    traffic: bus.traffic,
    open: () => family.open(bus, { unit: undefined, options: {} }, clock),
    intervalMs: POLL_MS,
    clock,
    logger: silentLogger,
    pause: async () => {
      next = Promise.withResolvers();
      polled.resolve();
      await next.promise;
      return true;
    },
  });
  poller.start(() => {});
  let beganAtMs = clock.monotonic();
  const published = () =>
    unitKeys(poller.units ?? []).flatMap((key, index) =>
      (poller.units?.[index]?.quantities ?? []).map((quantity) => {
        const { value, readAtMonotonic } = poller.value(key, quantity.name);
        return { quantity, value: readAtMonotonic >= beganAtMs ? value : null };
      }),
    );
  return {
    firstPoll: () => polled.promise,
    poll: async () => {
      clock.advance(POLL_MS);
      beganAtMs = clock.monotonic();
      polled = Promise.withResolvers();
      next.resolve();
      await polled.promise;
    },
    published,
    stop: async () => {
      const stopped = poller.stop();
      next.resolve();
      await stopped;
    },
  };
}

/** The other word of each register's number; its own where it has none. */
function otherRegisters({ readings }: CompiledProfile): ReadonlyMap<number, number> {
  return new Map(
    readings.flatMap((reading) => {
      if (reading.from !== 'registers') return [];
      const { registers } = reading.row;
      return registers.map((address, at) => [address, registers.at(at - 1) ?? address] as const);
    }),
  );
}

describe.each(profiles)('the profile %s', (driver) => {
  it('no impossible value leaves a poll while a register holds garbage', async () => {
    const compiled = compiledOf(driver);
    const unit = await unitOf(driver);
    const garbage = new Map<number, number>();
    const poller = pollerOf(driver, busOf(unit, garbage));
    await poller.firstPoll();
    const before = new Map(poller.published().map(({ quantity, value }) => [quantity.name, value]));
    expect([...before.values()].some((value) => typeof value === 'number')).toBe(true);

    const contentOf = (address: number): number => {
      const table = address < INPUT ? 'holding' : 'input';
      return unit.readRange(unit.unitId, address % INPUT, 1, table)?.[0] ?? 0;
    };
    const others = otherRegisters(compiled);
    const bounds = new Map(
      compiled.readings.map((reading) => [
        reading.quantity.name,
        { min: boundOf(reading, 'min'), max: boundOf(reading, 'max') },
      ]),
    );
    for (const [kind, garble] of Object.entries(GARBAGE)) {
      for (const address of new Set(compiled.spans.flatMap(addressesOf))) {
        garbage.clear();
        garbage.set(address, garble(contentOf(address), contentOf(others.get(address) ?? address)));
        await poller.poll();
        const place = `${kind} in register ${address}`;
        const values = new Map<string, MetricValue>();
        for (const { quantity, value } of poller.published()) {
          if (quantity.setting !== undefined) continue;
          values.set(quantity.name, value);
          if (typeof value !== 'number') continue;
          const { min, max } = bounds.get(quantity.name) ?? {};
          const real = before.get(quantity.name);
          const change = typeof real === 'number' ? Math.abs(value - real) : 0;
          if (value < (min ?? value) || value > (max ?? value) || change > mostChange(quantity)) {
            expect.fail(`${place}: ${quantity.name} is ${value}, and was ${real}`);
          }
        }
        expectBalance(values, place);
      }
    }
    await poller.stop();
  });
});

function boundOf(reading: CompiledProfile['readings'][number], bound: 'min' | 'max'): number {
  return bound in reading ? reading[bound] : Number.NaN;
}

function expectBalance(values: ReadonlyMap<string, MetricValue>, place: string): void {
  const watts = (name: string): number => Number(values.get(name) ?? 0);
  const load = values.get('Load power');
  const parts = ['PV power', 'Grid power', 'Battery power'].filter((name) => values.has(name));
  // Inverters without a grid measure their load: it is known while a part of the rest is not.
  if (typeof load !== 'number' || parts.some((name) => values.get(name) === null)) return;
  expect([place, load]).toEqual([
    place,
    watts('PV power') + watts('Grid power') - watts('Battery power') + watts('Generator power'),
  ]);
}
