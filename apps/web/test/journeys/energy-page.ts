import { readFile } from 'node:fs/promises';
import type { EnergyAnswer } from '@heliograph/client';
import type { Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { withdrawPrices } from './withdraw-prices.ts';

/** The page on which the energy of a day, week, month or year is read. */
export function describeEnergyPage(fixture: () => Fixture): void {
  it('the energy of a month is read by its bars, opened as a day, and saved', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await serveEnergy(page);
    await page.goto(`${fixture().portal}/sites/${fixture().system.run.site.id}/energy?month=2026-06`);
    await page.getByRole('heading', { name: 'June 2026' }).waitFor();
    const bars = page.getByRole('slider', { name: 'June 2026' });
    await bars.focus();
    await page.keyboard.press('Home');
    await expect
      .poll(() => bars.getAttribute('aria-valuetext'))
      .toMatch(/^Mon,? 1 June, Solar to the house 6\.\d\d\skWh/);
    expect(await bars.getAttribute('aria-valuemax')).toBe('29');
    await page.getByText(/Solar 200\skWh \(\+1\.5%\),? Imported 40\.0\skWh \(-30%\)/).waitFor();
    await page.getByText('a meter is the wrong way round').waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);

    await page.getByText('As a table').click();
    expect(await page.getByRole('row').filter({ hasText: '30 June' }).count()).toBe(1);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).first().click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('heliograph-energy-2026-06.csv');
    const lines = (await readFile(await saved.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(31);
    expect(lines[0]).toMatch(/^from,pv_kwh,load_kwh,.*,self_sufficiency,self_consumption,coverage$/);

    await page.getByRole('link', { name: 'Show this day' }).click();
    await page.getByRole('heading', { name: 'Monday, 1 June 2026' }).waitFor();
    await page.getByText('Power and charge').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'June 2026' }).waitFor();
  });

  it('days, weeks, months and years are reached with buttons, by a date, and on the page of the device', async () => {
    await using visit = await fixture().visit({ as: 'device' });
    const { page } = visit;
    await serveEnergy(page);
    await page.goto(fixture().device);
    await page.getByRole('navigation').getByRole('link', { name: 'Energy', exact: true }).click();
    await page.getByRole('heading', { name: 'Energy', level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'Later' }).isDisabled()).toBe(true);
    await page.getByLabel('Date').fill('2026-06-17');
    await page.getByRole('heading', { name: 'Wednesday, 17 June 2026' }).waitFor();
    await page.getByRole('button', { name: 'Earlier' }).click();
    await page.getByRole('heading', { name: 'Tuesday, 16 June 2026' }).waitFor();
    await page.getByText('Week', { exact: true }).click();
    await page.getByRole('heading', { name: /15.{1,3}21 June 2026/ }).waitFor();
    await page.getByText('Year', { exact: true }).click();
    await page.getByRole('heading', { name: '2026', exact: true }).waitFor();
    await page.getByRole('region', { name: 'Compared with the time before' }).waitFor();
    expect(new URL(page.url()).search).toBe('?year=2026');
    expect(await faultsInBothLooks(page)).toEqual([]);
  });

  it('the page of an unknown time has the first known date, and that of an old device has the curves', async () => {
    await using visit = await fixture().visit({ as: 'device', expectedErrors: [/404/] });
    const { page } = visit;
    await page.goto(`${fixture().device}/energy?day=2020-02-29`);
    await page.getByText('No energy is known of this time.').waitFor();
    await page.route(/\/api\/v1\/energy/, (route) =>
      route.fulfill({ status: 404, json: { error: 'Not found' } }),
    );
    await page.goto(`${fixture().device}/energy`);
    await page.getByText(/older version/).waitFor();
    await page.getByText('Power and charge').waitFor();
  });

  it('an owner enters prices, reads what the energy cost, and cannot change the past by mistake', async () => {
    const { device, portal, system } = fixture();
    await using owner = await fixture().visit({ as: 'device', expectedErrors: [/422/] });
    const { page } = owner;
    await page.goto(`${device}/energy`);
    const card = page.getByRole('region', { name: 'Money' });
    await card.getByRole('button', { name: 'Enter prices' }).click();
    await card.getByLabel('Valid from').fill('2026-01-01');
    await card.getByLabel('Price of a kWh from the grid').fill('0,32');
    await card.getByLabel('Price of a kWh to the grid').fill('0.08');
    await card.getByLabel('Fixed charges a month').fill('12');
    await card.getByRole('button', { name: 'Add hours' }).click();
    await card.getByLabel('Price', { exact: true }).fill('0.21');
    expect(await card.getByLabel('Settled').count()).toBe(0);
    await card.getByLabel('Net metering').check();
    await card.getByLabel('Settled').selectOption('Once a year');
    await card.getByLabel('Last month of the year').selectOption('September');
    expect(await faultsInBothLooks(page)).toEqual([]);
    await pictures(page, 'prices-form');
    await card.getByRole('button', { name: 'Save prices' }).click();
    await card.getByText(/^€\d/).first().waitFor();
    await pictures(page, 'money');

    await card.getByRole('button', { name: 'Change prices' }).click();
    await card.getByLabel('Valid from').fill('2026-01-01');
    expect(await card.getByLabel('Price', { exact: true }).inputValue()).toBe('0.21');
    expect(await card.getByLabel('Settled').inputValue()).toBe('year');
    expect(await card.getByLabel('Last month of the year').inputValue()).toBe('9');
    await card.getByLabel('Price of a kWh from the grid').fill('0.40');
    await card.getByRole('button', { name: 'Save prices' }).click();
    await card.getByText(/would change what 2026-01-01 cost/).waitFor();
    await card.getByLabel('Also change what days that are over cost').check();
    await card.getByRole('button', { name: 'Save prices' }).click();
    await card.getByRole('button', { name: 'Change prices' }).waitFor();

    await using reader = await fixture().visit({ as: 'demo' });
    await reader.page.goto(`${portal}/sites/${system.run.site.id}/energy`);
    await reader.page.getByRole('region', { name: 'Money' }).getByText('Saved', { exact: true }).waitFor();
    await withdrawPrices(fixture());
  });

  it('money of a year in which prices begin has the date of that in the sum and in the table', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.route(/\/api\/v1\/energy\?/, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as EnergyAnswer;
      const whole = { ...energyOf(answer, 0), net_cost: 40, savings: 10, costs_since: null };
      const partial = { ...whole, net_cost: 12.5, costs_since: '2026-06-11T00:00:00+02:00' };
      const steps = answer.steps.map(({ from }) => ({
        from,
        ...(from.startsWith('2026-06') ? partial : whole),
      }));
      const since = '2025-01-01T00:00:00+00:00';
      await route.fulfill({ response, json: { ...answer, since, currency: 'EUR', steps, total: partial } });
    });
    await page.goto(`${fixture().portal}/sites/${fixture().system.run.site.id}/energy?year=2026`);
    const card = page.getByRole('region', { name: 'Money' });
    await card.getByText(/Prices in EUR apply since 11 Jun 2026/).waitFor();
    await page.getByText('As a table').click();
    const row = (month: string) => page.getByRole('row').filter({ hasText: month });
    expect(await row('June 2026').innerText()).toMatch(/€12\.50 \(since 11 Jun 2026\)/);
    expect(await row('July 2026').innerText()).not.toContain('since');
    expect(await faultsInBothLooks(page)).toEqual([]);
  });
}

const pictures = (page: Page, name: string): Promise<unknown> =>
  process.env.PICTURES === undefined
    ? Promise.resolve()
    : page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });

/** Fills every step that the device answers with energy, whatever it has counted: 10 kWh of sun a day, 9 of load. */
export async function serveEnergy(page: Page): Promise<void> {
  await page.route(/\/api\/v1\/energy\?/, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as EnergyAnswer;
    const steps = answer.steps.map((step, i) => ({ from: step.from, ...energyOf(answer, i) }));
    const total = { ...energyOf(answer, 0) };
    for (const field of FIELDS) total[field] = steps.reduce((sum, step) => sum + (step[field] ?? 0), 0);
    const counters = [
      { energy: 'pv', kwh: 200, difference: 3 },
      { energy: 'grid_in', kwh: 40, difference: -12 },
    ];
    await route.fulfill({
      response,
      json: { ...answer, since: '2025-01-01T00:00:00+00:00', steps, total, counters },
    });
  });
}

const FIELDS = [
  'pv',
  'load',
  'battery_in',
  'battery_out',
  'grid_in',
  'grid_out',
  'pv_to_load',
  'pv_to_battery',
  'pv_to_grid',
  'battery_to_load',
  'battery_to_grid',
  'grid_to_load',
  'grid_to_battery',
] as const;

function energyOf({ step }: EnergyAnswer, index: number): EnergyAnswer['total'] {
  const days = { hour: 1 / 12, day: 1, week: 7, month: 30, year: 365 }[step];
  const sun =
    step === 'hour' ? Math.max(0, Math.sin(((index - 6) / 12) * Math.PI)) : 1 + 0.3 * Math.sin(index);
  const pv = 10 * days * sun;
  const load = 9 * days;
  const toLoad = Math.min(pv, load) * 0.75;
  const toBattery = Math.min(pv - toLoad, 2 * days);
  const toGrid = pv - toLoad - toBattery;
  const fromBattery = Math.min(load - toLoad, 1.8 * days);
  const fromGrid = load - toLoad - fromBattery;
  return {
    pv,
    load,
    battery_in: toBattery,
    battery_out: fromBattery,
    grid_in: fromGrid,
    grid_out: toGrid,
    pv_to_load: toLoad,
    pv_to_battery: toBattery,
    pv_to_grid: toGrid,
    battery_to_load: fromBattery,
    battery_to_grid: 0,
    grid_to_load: fromGrid,
    grid_to_battery: 0,
    self_sufficiency: 0.74,
    self_consumption: 0.81,
    coverage: 1,
    import_cost: null,
    export_earnings: null,
    fixed_charges: null,
    net_cost: null,
    savings: null,
  };
}
