import { DeviceClient } from '@heliograph/client';
import type { Page } from '@heliograph/dev/testing/browser';
import { expect, it } from 'vitest';
import type { Fixture } from '../fixture.ts';
import { faultsInBothLooks } from '../look/accessibility.ts';
import { picture } from '../look/pictures.ts';
import { confirm } from './confirm.ts';

const TOPIC = 'inverter_1/battery_reserve';
const WRITES = '**/api/v1/metrics';

/** Changes of settings of the hardware, and the messages when they fail. */
export function describeSettings(fixture: () => Fixture): void {
  const sitePath = (): string => `${fixture().portal}/sites/${fixture().system.run.site.id}`;
  const onLan = (): DeviceClient => {
    const { url, password } = fixture().system.run.device;
    return new DeviceClient({ address: new URL(url).host, password });
  };
  const reserveOf = (page: Page) => page.getByRole('spinbutton', { name: 'Battery reserve' });
  const valuesOf = (page: Page) => expect.poll(() => reserveOf(page).inputValue()).not.toBe('');

  it('a setting is written once, after its confirmation, and stands in the log', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    const writes = watchWrites(page);
    const before = await onLan().value(TOPIC);
    const wanted = before === '35' ? '40' : '35';
    await page.goto(`${sitePath()}/settings`);
    const reserve = reserveOf(page);
    await reserve.fill(wanted);
    await reserve.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${before} %`).waitFor();
    await dialog.getByText(`${wanted} %`).waitFor();
    await dialog.getByText('It cannot be undone.', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('spinbutton');
    expect(writes).toEqual([]);

    await reserve.press('Enter');
    await dialog.getByRole('button', { name: 'Change it now' }).dblclick();
    await page.getByText(`Changed. The hardware reports ${wanted} %.`).waitFor();
    expect(writes).toEqual([{ topic: TOPIC, value: wanted }]);
    expect(await onLan().value(TOPIC)).toBe(wanted);

    await page.goto(`${sitePath()}/device`);
    await page.getByText(`${before} % → ${wanted} %`).first().waitFor();
    await onLan().set(TOPIC, before);
  });

  it('a setting waits for its value instead of looking empty', async () => {
    await using visit = await fixture().visit({ as: 'device' });
    const { page } = visit;
    const held: (() => void)[] = [];
    let isHolding = true;
    await page.routeWebSocket(/websocket/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => server.send(message));
      server.onMessage((message) => {
        const isHeld = isHolding && String(message).includes('"data"') && String(message).includes(TOPIC);
        if (isHeld) held.push(() => socket.send(message));
        else socket.send(message);
      });
    });
    await page.goto(`${fixture().device}/settings`);
    const reserve = reserveOf(page);
    const mode = page.getByLabel('Storage control mode');
    const preset = page.getByRole('button', { name: 'Self-use' }).first();
    await reserve.waitFor();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    const isEnabled = () => Promise.all([reserve, mode, preset].map((control) => control.isEnabled()));
    expect(await isEnabled()).toEqual([false, false, false]);
    expect(await reserve.getAttribute('placeholder')).toBe('Loading…');
    expect(await mode.locator('option:checked').textContent()).toBe('Loading…');
    expect(await faultsInBothLooks(page)).toEqual([]);
    isHolding = false;
    for (const release of held) release();
    await valuesOf(page);
    await expect.poll(isEnabled).toEqual([true, true, true]);
  });

  it('a number out of range is refused before the confirmation', async () => {
    await using visit = await fixture().visit({ as: 'device' });
    const { page } = visit;
    await page.goto(`${fixture().device}/settings`);
    const reserve = reserveOf(page);
    await reserve.fill('101');
    await reserve.press('Enter');
    await page.getByText('Enter a number from 0 % to 100 %.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Decrease: Battery reserve' }).click();
    expect(await reserve.inputValue()).toBe('100');
  });

  it('a write without an answer is reported as unknown, and not sent again', async () => {
    await using visit = await fixture().visit({ as: 'device', expectedErrors: [/ERR_FAILED/] });
    const { page } = visit;
    const writes = watchWrites(page);
    await page.goto(`${fixture().device}/settings`);
    const mode = page.getByLabel('Storage control mode');
    await valuesOf(page);
    await page.route(WRITES, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await mode.selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Review changes (1)' }).click();
    await confirm(page, 'Change it now');
    await page.getByText('No answer came.', { exact: false }).waitFor();
    expect(writes).toHaveLength(1);
    await page.getByRole('link', { name: 'See the log of changes' }).click();
    await page.waitForURL('**/log');
  });

  it('the log shows outcomes that a reading corrected, and settings that changed along', async () => {
    await using visit = await fixture().visit({ as: 'device' });
    const { page } = visit;
    const write = {
      ...{ at: '2026-06-21T12:00:00.000Z', author: 'local', via: 'lan', topic: TOPIC, reason: null },
      ...{ old_value: '20', new_value: '30', outcome: 'unknown', settled_at: null, pending: true },
    };
    const along = {
      topic: 'inverter_1/storage_control_mode',
      old_value: 'Automatic',
      new_value: 'Limit charge',
    };
    const settlesBy = '2026-06-21T12:06:00.000Z';
    const settled = { outcome: 'ok', settled_at: '2026-06-21T12:00:09.000Z', pending: false };
    let answer: object[] = [{ ...write, id: 7, also_changed: [], settles_by: settlesBy }];
    await page.route('**/api/v1/settings/log*', (route) => route.fulfill({ json: answer }));
    await page.goto(`${fixture().device}/log`);
    const entry = page.getByRole('listitem').filter({ hasText: 'Battery reserve' });
    await entry.getByText('Not known yet').waitFor();
    await entry.getByText(/^Readings may still change this, usually until 21 Jun 2026, \d\d:\d6/).waitFor();
    await picture(page, `settings-log-pending-${fixture().look.name}`);
    answer = [{ ...write, ...settled, id: 7, also_changed: [along], settles_by: null }];
    await entry.getByText('Changed', { exact: true }).waitFor({ timeout: 40_000 });
    await entry.getByText('Shown by a reading at', { exact: false }).waitFor();
    expect(await entry.getByText('Readings may still change this', { exact: false }).count()).toBe(0);
    await entry.getByText('Also changed: Storage control mode, Automatic → Limit charge').waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);
    await picture(page, `settings-log-settled-${fixture().look.name}`);
  });

  it('several changes are reviewed together, sent one after the other, and not at all after one that failed', async () => {
    await using visit = await fixture().visit({ as: 'device', expectedErrors: [/422/] });
    const { page } = visit;
    await page.goto(`${fixture().device}/settings`);
    const reserve = reserveOf(page);
    const mode = page.getByLabel('Storage control mode');
    await valuesOf(page);
    const before = await reserve.inputValue();
    await reserve.fill('61');
    await mode.selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Review changes (2)' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('one after the other', { exact: false }).waitFor();
    expect(await dialog.getByRole('listitem').count()).toBe(2);
    expect(await faultsInBothLooks(page)).toEqual([]);
    if (process.env.PICTURES !== undefined)
      await page.screenshot({ path: `${process.env.PICTURES}/settings-review.png` });
    const writes = watchWrites(page);
    await page.route(WRITES, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 422, json: { error: 'the hardware refused it' } })
        : route.continue(),
    );
    await confirm(page, 'Change it now');
    await page.getByText('the hardware refused it').waitFor();
    await page.getByText('Not sent, because a change before it failed.').waitFor();
    expect(writes).toHaveLength(1);
    await page.getByRole('button', { name: 'Discard all' }).click();
    expect(await reserve.inputValue()).toBe(before);
    expect(await page.getByRole('button', { name: /Review changes/ }).count()).toBe(0);
  });

  it('a preset becomes changes that are reviewed before anything is sent', async () => {
    await using visit = await fixture().visit({ as: 'device' });
    const { page } = visit;
    await page.goto(`${fixture().device}/settings`);
    const mode = page.getByLabel('Storage control mode');
    const preset = page.getByRole('button', { name: 'Self-use' }).first();
    const writes = watchWrites(page);
    await onLan().set('inverter_1/storage_control_mode', 'Limit charge');
    await expect.poll(() => preset.getAttribute('aria-pressed')).toBe('false');
    await preset.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Automatic', { exact: true }).waitFor();
    expect(await faultsInBothLooks(page)).toEqual([]);
    expect(writes).toEqual([]);
    await confirm(page, 'Change it now');
    await expect.poll(() => preset.getAttribute('aria-pressed')).toBe('true');
    expect(writes).toEqual([{ topic: 'inverter_1/storage_control_mode', value: 'Automatic' }]);
    expect(await mode.inputValue()).toBe('Automatic');
  });

  it('names, options and hints of settings are in German on a German phone of 320 pixels', async () => {
    const viewport = { width: 320, height: 700 };
    await using visit = await fixture().visit({ as: 'device', locale: 'de-DE', viewport });
    const { page } = visit;
    await page.goto(`${fixture().device}/settings`);
    await page.getByRole('spinbutton', { name: 'Batteriereserve' }).waitFor();
    await page.getByRole('button', { name: 'Eigenverbrauch' }).first().waitFor();
    await page.getByText('Unter 0 % wird die Batterie mindestens', { exact: false }).first().waitFor();
    const options = await page.getByLabel('Speichersteuerung').innerText();
    expect(options).toContain('Laden begrenzen');
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).toBe(0);
    if (process.env.PICTURES !== undefined)
      await page.screenshot({ path: `${process.env.PICTURES}/settings-german.png`, fullPage: true });
  });

  it('the log lists changes of the device itself with their authors', async () => {
    await using visit = await fixture().visit({ as: 'device' });
    const { page } = visit;
    await page.goto(`${fixture().device}/log`);
    await page.getByRole('heading', { name: 'Configuration and access' }).waitFor();
    await page.getByText('Device password set').waitFor();
    await page.getByText('by the device itself', { exact: false }).waitFor();
  });

  it('a refusal shows the message of the device', async () => {
    await using visit = await fixture().visit({ as: 'device', expectedErrors: [/422/] });
    const { page } = visit;
    await page.goto(`${fixture().device}/settings`);
    const message = `${TOPIC}: the hardware took 33 instead of 35`;
    await page.route(WRITES, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 422, json: { error: message } })
        : route.continue(),
    );
    await reserveOf(page).fill('36');
    await reserveOf(page).press('Enter');
    await confirm(page, 'Change it now');
    await page.getByText(message).waitFor();
    // The requested value stays beside the present one.
    expect(await reserveOf(page).inputValue()).toBe('36');
  });

  it.each([
    [
      'the portal',
      { as: 'demo' },
      { name: 'Battery reserve', apply: 'Change it now', waits: 'Waiting until', reason: 'Log in to it as' },
    ],
    [
      'the page of the device in German',
      { as: 'device', locale: 'de-DE' },
      {
        name: 'Batteriereserve',
        apply: 'Jetzt ändern',
        waits: 'Warten, bis die Hardware',
        reason: 'Melden Sie sich dort als Installateur an',
      },
    ],
  ] as const)(
    'a write that takes seconds shows on %s that it waits, and then its reason',
    async (_where, who, texts) => {
      await using visit = await fixture().visit({ ...who, expectedErrors: [/422/] });
      const { page } = visit;
      const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
      await page.route(WRITES, async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        await mayAnswer;
        const error = `${TOPIC}: the inverter refused 36: no permission`;
        return route.fulfill({ status: 422, json: { error, outcome: 'rejected', reason: 'no_permission' } });
      });
      await page.goto(who.as === 'demo' ? `${sitePath()}/settings` : `${fixture().device}/settings`);
      const reserve = page.getByRole('spinbutton', { name: texts.name });
      await expect.poll(() => reserve.inputValue()).not.toBe('');
      await reserve.fill('36');
      await reserve.press('Enter');
      await confirm(page, texts.apply);
      await page.getByText(texts.waits, { exact: false }).waitFor();
      expect(await reserve.isEnabled()).toBe(false);
      answer();
      await page.getByText(texts.reason, { exact: false }).waitFor();
      await page.getByText('the inverter refused 36').waitFor();
      expect(await reserve.inputValue()).toBe('36');
    },
  );

  it('a write whose outcome is not known yet is changed as soon as a reading shows the value', async () => {
    await using visit = await fixture().visit({ as: 'device', expectedErrors: [/422/] });
    const { page } = visit;
    const before = await onLan().value(TOPIC);
    const wanted = before === '37' ? '38' : '37';
    await page.route(WRITES, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 422,
            json: {
              ...{ error: 'it was sent', outcome: 'unknown', reason: 'not_in_time' },
              settles_by: '2026-06-21T12:06:00.000Z',
            },
          })
        : route.continue(),
    );
    await page.goto(`${fixture().device}/settings`);
    await valuesOf(page);
    await reserveOf(page).fill(wanted);
    await reserveOf(page).press('Enter');
    await confirm(page, 'Change it now');
    await page
      .getByText(
        /The new value was not in force in time\. · Readings may still change this, usually until 21 Jun 2026/,
      )
      .waitFor();
    await page.getByText('The next readings will show it.', { exact: false }).waitFor();
    await page.getByRole('link', { name: 'See the log of changes' }).waitFor();
    await onLan().set(TOPIC, wanted);
    await page.getByText(`Changed. The hardware reports ${wanted} %.`).waitFor();
    await onLan().set(TOPIC, before);
  });

  it('the search finds a metric among all', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${sitePath()}/metrics`);
    const row = page.getByRole('row', { name: 'battery_1/voltage' });
    const pv = page.getByRole('row', { name: 'total/pv_power' });
    await pv.waitFor();
    expect(await row.count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search by name or topic' }).fill('battery 1 voltage');
    await pv.waitFor({ state: 'detached' });
    await row.getByText(/^\d+(\.\d)?\sV$/).waitFor();
    await page.waitForURL('**/metrics?search=battery+1+voltage');
    await row.getByRole('button', { name: 'Copy the topic battery_1/voltage' }).click();
    await row.getByText('Copied').waitFor({ state: 'attached' });
  });

  it('a unit opens from the list of units, the address remembers it, and a value leads to its curve', async () => {
    await using visit = await fixture().visit({ as: 'demo' });
    const { page } = visit;
    await page.goto(`${sitePath()}/metrics`);
    await page.getByRole('navigation', { name: 'Jump to a unit' }).getByText('Battery 1').click();
    const battery = page.getByRole('button', { name: /^Battery 1/, expanded: true });
    await battery.and(page.locator(':focus')).waitFor();
    await page.reload();
    await battery.waitFor();
    await page.getByRole('row', { name: 'battery_1/voltage' }).getByRole('link', { name: 'Voltage' }).click();
    await page.getByRole('button', { name: 'Remove Battery 1: Voltage' }).waitFor();
    await page.getByRole('link', { name: 'All values' }).click();
    await page.waitForURL('**/metrics');
  });

  it('a subject shows its metrics of every unit', async () => {
    await using visit = await fixture().visit({ as: 'device' });
    const { page } = visit;
    await page.goto(`${fixture().device}/values`);
    await page.getByRole('group', { name: 'Subject' }).getByText('Temperatures').click();
    await page.getByRole('row', { name: 'inverter_1/temperature' }).waitFor();
    expect(await page.getByRole('row', { name: 'total/pv_power' }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('subject')).toBe('temperatures');
  });

  it('every inverter and battery has a card that leads to all of its values, in the language of the reader', async () => {
    await using visit = await fixture().visit({ as: 'device', locale: 'de-DE' });
    const { page } = visit;
    await page.goto(fixture().device);
    const card = page.getByRole('article', { name: 'Batterie 1' });
    await card.getByText('Ladezustand').waitFor();
    await page.getByRole('article', { name: 'Wechselrichter 1' }).getByText('Betriebsart').waitFor();
    await card.getByRole('link').click();
    await page.getByRole('row', { name: 'battery_1/voltage' }).getByText('Spannung').waitFor();
  });
}

/** The writes that the page sends from now on. */
function watchWrites(page: Page): unknown[] {
  const writes: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/v1/metrics')) {
      writes.push(request.postDataJSON());
    }
  });
  return writes;
}
