import { equal, ok } from 'node:assert/strict';
import type { CloudClient, EnergyAmounts } from '@heliograph/client';
import { DAY_MS, localDay, startOfDay } from '@heliograph/kit/local-time';
import {
  assertAddUp,
  assertBalanced,
  assertCountedSince,
  assertNoneFell,
  counters,
  ENERGIES,
} from '../home-energy.ts';
import type { Live } from '../live.ts';
import { ENDED } from '../running-system.ts';
import type { Step } from '../step.ts';
import { until } from '../until.ts';

/** How long before midnight the run comes back, in milliseconds: polls before it count for the day that ends. */
const BEFORE_MS = 8_000;

/** Days since 1970 at which a week begins: 1970-01-05 was a Monday. */
const MONDAY = 4;

export const dayEnd: Step = {
  name: 'day-end',
  title: 'the energy of a day that ends adds up, and the counters begin again when their week ends',
  causes: [{ log: 'device', pattern: ENDED, why: 'the step ends the device, so that it calls the cloud' }],
  async run(live) {
    const { time_zone: zone } = await live.device().about();
    const { id } = live.system.run.site;
    const owner = await live.signedIn();
    await owner.setSiteHistoryConsent({ id, agreed: true });

    const today = localDay(live.clocks.now(), zone);
    const monday = nextMonday(today);
    const before = await counters(live.device());
    await cross(live, startOfDay(today + 1, zone));
    if (today + 1 < monday) assertNoneFell(before, await counters(live.device()));
    const closed = await dayOf(live, today, zone);
    assertAddUp(closed.whole, closed.hours);
    assertBalanced(closed.whole);
    await inCloud(live, owner, closed);

    const mondayMs = startOfDay(monday, zone);
    if (today + 1 < monday) await cross(live, mondayMs);
    await assertCountedSince(live.device(), new Date(mondayMs));
    const again = await dayOf(live, today, zone);
    for (const name of ENERGIES) equal(again.whole[name], closed.whole[name], `${name} of the closed day`);
    await owner.signOut();
  },
};

/** The cloud has a day that its owner agreed to, and reports it as complete. */
async function inCloud(live: Live, owner: CloudClient, { whole, from, to }: Day): Promise<void> {
  // A device calls in each quarter of an hour, and when it starts.
  await live.endDevice('SIGTERM');
  const { id } = live.system.run.site;
  const period = { from: from.toISOString(), to: to.toISOString() };
  await until('the cloud has the energy of the day', async () => {
    const { total } = await owner.getSiteEnergy({ id, step: 'day', ...period });
    assertAddUp(whole, [total]);
    return true;
  });
  await until('the feed has the day', async () =>
    (await owner.listEvents({ type: 'energy' })).some(({ site_id }) => site_id === id),
  );
}

/** The first Monday after a day. */
function nextMonday(day: number): number {
  const days = (((MONDAY - day) % 7) + 7) % 7;
  return day + (days === 0 ? 7 : days);
}

/** Lets a midnight come while the device reads the plant. */
async function cross(live: Live, midnightMs: number): Promise<void> {
  live.clocks.pass(Math.max(0, midnightMs - BEFORE_MS - live.clocks.now()));
  const hour = async () => (await live.device().energy({ step: 'hour', from: new Date(midnightMs) })).steps;
  await until('energy is counted after midnight', async () =>
    (await hour()).some(({ coverage, load }) => coverage > 0 && load !== null),
  );
}

interface Day {
  readonly whole: EnergyAmounts;
  readonly hours: readonly EnergyAmounts[];
  readonly from: Date;
  readonly to: Date;
}

async function dayOf(live: Live, day: number, zone: string): Promise<Day> {
  const [from, to] = [new Date(startOfDay(day, zone)), new Date(startOfDay(day + 1, zone))];
  const { total: whole } = await live.device().energy({ step: 'day', from, to });
  const { steps: hours } = await live.device().energy({ step: 'hour', from, to });
  ok(hours.length * 3_600_000 >= DAY_MS - 2 * 3_600_000, 'a day of hours');
  return { whole, hours, from, to };
}
