import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createCloudClient } from '@heliograph/client';
import { appCode, Factory, openDatabase, PASSWORD, SoftwareAuthenticator } from '@heliograph/cloud/testing';
import { systemClock } from '@heliograph/kit';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestSystem } from '../src/testing/test-system.ts';
import { InstalledCommand } from './installed-command.ts';
import { bash, hasShell, installedCommands, SHELL_TIMEOUT_MS } from './shell.ts';

/** `heliograph` as a user types it. */
export function describeCommandLine(systemOf: () => TestSystem): void {
  let system: TestSystem;
  let command: InstalledCommand;
  beforeAll(async () => {
    system = systemOf();
    command = await InstalledCommand.start(system.dataFolder);
  });
  afterAll(() => command?.[Symbol.asyncDispose]());

  const heliograph = (...args: Parameters<InstalledCommand['run']>) => command.run(...args);

  describe('heliograph', { timeout: SHELL_TIMEOUT_MS }, () => {
    it('the command line invites to a site, changes a role, and lists the members', async () => {
      const bo = 'bo@example.org --first-name Bo --last-name Example';
      expect(await heliograph(`invite demo ${bo}`)).toBe('bo@example.org is member of demo\n');
      expect(await heliograph('invite demo bo@example.org --role admin')).toBe(
        'bo@example.org is admin of demo\n',
      );
      const lines = (await heliograph('members demo')).split('\n');
      expect(lines[0]).toMatch(/^ *ID +ROLE +EMAIL +NAME$/);
      expect(lines[1]).toMatch(/ owner +demo@heliograph\.test +Demo Account$/);
      expect(lines[2]).toMatch(/ admin +bo@example\.org +Bo Example$/);
    });

    it('the command line shows and chooses which releases the device of a site takes', async () => {
      expect(await heliograph('updates demo --channel beta --automatic on')).toMatch(
        /^release {4}\d+\.\d+\.\d+\nchannel {4}beta\nautomatic {2}on\n$/,
      );
      expect(await heliograph('updates demo --automatic off')).toContain('channel    beta\nautomatic  off\n');
      expect(await heliograph('updates demo --channel nightly')).toMatch(/stable, beta.*\nexit 2\n$/);
    });

    it('one line explains why an invitation is refused', async () => {
      expect(await heliograph('invite demo nobody-yet@example.org')).toBe(
        "heliograph: first_name can't be blank; last_name can't be blank\nexit 1\n",
      );
    });

    it('the log lists the author of each change, through the proxy and on the local network', async () => {
      const { device } = system.run;
      const reserve = 'inverter_1/battery_reserve';
      await heliograph(`set demo ${reserve} 31`);
      await heliograph(`set --device ${device.url} ${reserve} 32`);
      const [json = ''] = (await heliograph(`log --device ${device.url} --limit 2 --json`)).split(
        'There may',
      );
      const onLan = JSON.parse(json);
      expect(onLan).toMatchObject([
        { author: 'local', via: 'lan', topic: reserve, old_value: '31', new_value: '32', outcome: 'ok' },
        { author: expect.stringMatching(/^user \d+$/), via: 'proxy', new_value: '31', outcome: 'ok' },
      ]);
      const page = (await heliograph(`log demo --limit 1 --before ${onLan[0].id}`)).split('\n');
      expect(page[0]).toMatch(/^ *ID +TIME +WHO +TOPIC +OLD +NEW +OUTCOME$/);
      expect(page[1]).toMatch(
        /^ *\d+ +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +user \d+ \(proxy\) +inverter_1\/battery_reserve +\S+ +31 +ok$/,
      );
      expect(page[2]).toBe(`There may be more: --before ${onLan[1].id} shows the next`);
    });

    it('a person on the local network changes a setting with a session of the device, which ends afterwards', async () => {
      const { device } = system.run;
      const reserve = 'inverter_1/battery_reserve';
      const changed = await heliograph(`set --device ${device.url} ${reserve} 33 --in-person`);
      expect(changed).toMatch(/^inverter_1\/battery_reserve: \d+ % → 33 %\n$/);
      expect(await heliograph(`set --device ${device.url} ${reserve} 101`)).toMatch(/exit 1\n$/);
      const [line] = (await heliograph(`log --device ${device.url} --limit 1`)).split('\n').slice(1);
      expect(line).toMatch(/ local \(lan\) .* 33 +ok$/);
    });

    it('a diagnostic bundle is saved under the name that is asked for, and replaces no file', async () => {
      const file = join(system.dataFolder, 'bundle.zip');
      expect(await heliograph(`diagnostics demo --frames --output "${file}"`)).toBe(`${file}\n`);
      const files = Object.keys(unzipSync(readFileSync(file)));
      expect(files).toEqual(expect.arrayContaining(['manifest.json', 'README.txt', 'frames.json']));
      expect(await heliograph(`diagnostics --device ${system.run.device.url} -o "${file}"`)).toMatch(
        /cannot be written: .*exists.*exit 1/s,
      );
    });

    it('an archive of the account and one of a site are saved, listed, and saved again, with the password alone', async () => {
      const { account } = system.run;
      const as = (line: string) => heliograph(line, { input: `${account.password}\n` });
      const [own, ofSite, again] = ['own.zip', 'site.zip', 'again.zip'].map((name) =>
        join(system.dataFolder, name),
      ) as [string, string, string];
      expect(await as(`export -o "${own}"`)).toMatch(new RegExp(`^Archive \\d+ is being made\n${own}\n$`));
      expect(tableIn(own, 'account')).toMatchObject([{ email: account.email }]);
      await as(`export demo --output "${ofSite}"`);
      expect(tableIn(ofSite, 'site')).toMatchObject([{ name: 'demo' }]);
      const lines = (await as('export --list')).split('\n');
      expect(lines[0]).toMatch(/^ *ID +SITE +READY +UNTIL +BYTES$/);
      expect(lines[1]).toMatch(/^ *\d+ +demo +\d{4}-\d\d-\d\d /);
      const list = JSON.parse(await as('export --list --json'));
      await as(`export --id ${list[0].id} -o "${again}"`);
      expect(readFileSync(again)).toEqual(readFileSync(ofSite));
      expect(statSync(again).mode & 0o777).toBe(0o600);
      expect(await as(`export --id ${list[0].id} -o "${again}"`)).toMatch(/cannot be written: .*exists/);
      expect(await as('export --id 2147483647')).toContain('There is no archive 2147483647');
    });

    it('an archive is refused to a wrong password, and to one who types none', async () => {
      expect(await heliograph('export')).toBe(
        'heliograph: There was no password on standard input\nexit 1\n',
      );
      expect(await heliograph('export', { input: 'wrong\n' })).toMatch(/answered 401.*exit 1/s);
    });

    it('an account with a second factor is asked for a code of it, too', async () => {
      const { db, close } = openDatabase(system.run.cloud.database_url, () => undefined);
      await using _ = { [Symbol.asyncDispose]: () => close() };
      const make = new Factory(db, systemClock);
      const user = await make.user();
      const { url } = system.run.cloud;
      const session = createCloudClient({ url, token: await make.token(user.id, { kind: 'session' }) });
      const { secret } = await session.startAuthenticatorApp();
      const { recovery_codes: codes } = await session.confirmAuthenticatorApp({
        otp: await appCode({ secret }),
      });
      const env = { HELIOGRAPH_URL: url, HELIOGRAPH_TOKEN: user.token };
      const list = (input: string) => heliograph('export --list', { env, input });
      expect(await list(`${PASSWORD}\n${codes?.[0]}\n`)).toBe('No archives\n');
      expect(await list(`${PASSWORD}\n`)).toBe('heliograph: There was no code on standard input\nexit 1\n');
      expect(await list(`${PASSWORD}\n000000\n`)).toMatch(/answered 401.*exit 1/s);
    });

    it.skipIf(!hasShell())(
      'an account with passkeys alone finishes the sign-in on a page, whose address is printed',
      async () => {
        const { db, close } = openDatabase(system.run.cloud.database_url, () => undefined);
        await using _ = { [Symbol.asyncDispose]: () => close() };
        const make = new Factory(db, systemClock);
        const user = await make.user({ email: 'passkeys@example.org' });
        const { url } = system.run.cloud;
        const session = createCloudClient({ url, token: await make.token(user.id, { kind: 'session' }) });
        const authenticator = new SoftwareAuthenticator(url);
        const passkey = authenticator.create(await session.startPasskey());
        await session.addPasskey({ name: 'Laptop', passkey });

        const errors = join(system.dataFolder, 'passkey.txt');
        const listed = bash(
          `echo '${PASSWORD}' | HELIOGRAPH_URL=${url} HELIOGRAPH_TOKEN=${user.token} heliograph export --list --json 2>"${errors}"`,
          system.dataFolder,
          await installedCommands(system.dataFolder),
        );
        const page = /Finish the sign-in in a browser: (\S+)#second_factor\/(\S+)\n/;
        await expect
          .poll(() => readFileSync(errors, { encoding: 'utf8', flag: 'a+' }), { timeout: SHELL_TIMEOUT_MS })
          .toMatch(page);
        const [, address, pending_token = ''] = page.exec(readFileSync(errors, 'utf8')) ?? [];
        expect(address).toBe(`${url}/sign_in`);
        const browser = createCloudClient({ url });
        const { passkey: options } = await browser.describePendingSignIn({ pending_token });
        if (options === null) throw new Error('The page asks for no passkey');
        await browser.showSecondFactor({ pending_token, passkey: authenticator.get(options) });
        expect(JSON.parse(await listed)).toEqual([]);
      },
    );

    it('the command line leaves no session behind', async () => {
      const { db, close } = openDatabase(system.run.cloud.database_url, () => undefined);
      await using _ = { [Symbol.asyncDispose]: () => close() };
      const sessions = async () => {
        const kept = db.selectFrom('tokens').select('id').where('kind', '=', 'session');
        return (await kept.where('revoked_at', 'is', null).execute()).map(({ id }) => id).sort();
      };
      const before = await sessions();
      await heliograph('export --list', { input: `${system.run.account.password}\n` });
      expect(await sessions()).toEqual(before);
    });

    it('a site is released once its name is typed, or without a question where that is asked for', async () => {
      const { db, close } = openDatabase(system.run.cloud.database_url, () => undefined);
      await using _ = { [Symbol.asyncDispose]: () => close() };
      const make = new Factory(db, systemClock);
      const account = db.selectFrom('users').select('id').where('email', '=', system.run.account.email);
      const { id: ownerId } = await account.executeTakeFirstOrThrow();
      const barn = await make.site({ ownerId, name: 'barn' });
      await make.site({ ownerId, name: 'attic' });
      const unnamed = await make.site({ ownerId, name: null });
      const release = (line: string, typed: string) => heliograph(`release ${line}`, { input: `${typed}\n` });
      const refused = /^heliograph: Nothing was released: .*exit 1\n$/s;
      expect(await release('barn', 'no')).toMatch(refused);
      expect(await heliograph('release barn')).toMatch(refused);
      expect(await release(String(barn.id), 'barn')).toBe('barn is released\n');
      expect(await release('attic --yes', '')).toBe('attic is released\n');
      expect(await release(String(unnamed.id), String(unnamed.id))).toBe(`${unnamed.id} is released\n`);
      expect(await release('barn', 'barn')).toContain('There is no site named "barn"');
      expect(await heliograph('sites')).not.toMatch(/barn|attic/);
    });

    it('a device is registered, and an unknown one is refused', async () => {
      const { device, site } = system.run;
      expect(await heliograph(`register ${device.uid} --name other`)).toBe(
        `Site ${site.id} is ${site.name}\n`,
      );
      expect(await heliograph('register nosuchdevice')).toMatch(/answered 404.*exit 1/s);
    });
  });
}

/** Rows of a table in an archive. */
function tableIn(file: string, name: string): Record<string, unknown>[] {
  return JSON.parse(strFromU8(unzipSync(readFileSync(file))[`${name}.json`] ?? new Uint8Array()));
}
