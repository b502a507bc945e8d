import { NO_LOCALE } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connect, newDevice } from '../../../test/device-calls.ts';
import { Operator } from '../../../test/operator/admin/operator.ts';
import { addApp } from '../../../test/second-factor.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let operator: Operator;
beforeAll(async () => {
  cloud = await startTestCloud({ deviceActivation: 'manual' });
  // The command line dates its records by the real clock.
  cloud.clock.advance(Date.now() - cloud.clock.now());
  operator = new Operator(cloud.databaseUrl);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

let count = 0;
const newEmail = () => `person-${++count}@example.org`;
const NAMES = '--first-name Grace --last-name Hopper';
const create = (email: string, options = '') =>
  operator.runForJson(`users create ${email} ${NAMES} ${options}`.trim());
const newOrganization = async () =>
  (await operator.runForJson<{ id: number }>(['organizations', 'create', `Solar ${++count}`])).id;
const signIn = (email: string, password: unknown, organizationId: number | 'none' = 'none') =>
  cloud.call('POST /api/v1/sign_in', { body: { email, password, organization_id: organizationId } });
const audited = (email: string) =>
  operator.runForJson<{ action: string; via: string; actor: null; address: null }[]>(`audit --user ${email}`);

it('an organization, an employee with a token and a device, for a customer who registers it', async () => {
  const organization = await newOrganization();
  const email = newEmail();
  const { password } = await create(email, `--organization ${organization} --role admin`);
  expect(await signIn(email, password, organization)).toMatchObject({
    status: 200,
    body: { user: { email, first_name: 'Grace', organization: { id: organization } } },
  });
  const { token } = await operator.runForJson<{ token: string }>(
    `tokens create ${email} --name Sites --scopes sites:read_all --organization ${organization} --expires 30`,
  );
  const sites = () => cloud.call<{ name: string }[]>('GET /api/v1/sites', { token });
  expect(await sites()).toMatchObject({ status: 200, body: [] });
  expect((await cloud.call('GET /api/v1/users', { token })).status).toBe(403);

  const device = await newDevice();
  expect(
    await operator.runForJson(`devices provision ${device.uid} --organization ${organization}`),
  ).toMatchObject({
    uid: device.uid,
    state: 'provisioned',
    organization_id: organization,
  });
  expect((await connect(cloud, device)).body).toMatchObject({ status: 'unregistered' });
  const customer = newEmail();
  const { password: theirs } = await create(customer, `--organization ${organization}`);
  const session = await signIn(customer, theirs, organization);
  const registered = await cloud.call('POST /api/v1/sites/register', {
    token: String(session.body.token),
    body: { uid: device.uid, name: 'roof' },
  });
  expect(registered).toMatchObject({ status: 200, body: { name: 'roof' } });
  expect(await sites()).toMatchObject({ status: 200, body: [{ name: 'roof' }] });
});

describe('heliograph admin users', () => {
  it('an account becomes an operator and an ordinary account again', async () => {
    const email = newEmail();
    const { password } = await create(email, '--staff');
    const session = await signIn(email, password);
    const token = String(session.body.token);
    const all = async () => (await cloud.call('GET /api/v1/audit', { token })).status;
    expect(await all()).toBe(200);
    expect(await operator.runForJson(`users staff ${email} --off`)).toMatchObject({ staff: false });
    expect(await all()).toBe(403);
    expect((await operator.run(`users staff ${email} --off`)).err).toBe('It was none already\n');
    const records = await audited(email);
    expect(records.map(({ action }) => action)).toEqual([
      'account.changed',
      'account.signed_in',
      'account.created',
    ]);
    expect(records[0]).toMatchObject({ via: 'admin', actor: null, address: null });
  });

  it('site tokens are revoked with the token, the session or the operator they were issued for', async () => {
    await cloud.announce('us-1');
    const email = newEmail();
    const { id, password } = await create(email, '--staff');
    const { id: other } = await cloud.make.site();
    const { id: own } = await cloud.make.site({ ownerId: Number(id) });
    const authorize = async (token: string, site: number) =>
      expect((await cloud.call(`POST /api/v1/sites/${site}/authorize`, { token })).status).toBe(200);
    const made = await operator.runForJson<{ id: number; token: string }>(
      `tokens create ${email} --name Sites --scopes all`,
    );
    await authorize(made.token, own);
    const session = String((await signIn(email, password)).body.token);
    for (const site of [own, other]) await authorize(session, site);
    const revoked = async () => {
      const { body } = await cloud.announce('us-1');
      const all = body.revocations as { readonly site_id: number; readonly subject: string }[];
      return all.map(({ site_id, subject }) => `${site_id} ${subject}`).toSorted();
    };
    expect(await revoked()).toEqual([]);
    await operator.runForJson(`users staff ${email} --off`);
    expect(await revoked()).toEqual([`${other} user:${id}`]);
    await operator.runForJson(`tokens revoke ${made.id}`);
    expect(await revoked()).toContain(`${own} token:${made.id}`);
    await operator.runForJson(`users password ${email}`);
    expect((await revoked()).filter((one) => one.includes('token:'))).toHaveLength(3);
  });

  it('an operator renames a person, and the record has the former name', async () => {
    const email = newEmail();
    await create(email);
    const renamed = await operator.runForJson(['users', 'rename', email, '--last-name', ' Brewster Hopper ']);
    expect(renamed).toMatchObject({ first_name: 'Grace', last_name: 'Brewster Hopper' });
    const { err } = await operator.run(`users rename ${email.toUpperCase()} --first-name Grace`);
    expect(err).toBe('It had this name already\n');
    const records = await operator.runForJson<object[]>(`audit --user ${email} --action account.renamed`);
    expect(records).toEqual([
      expect.objectContaining({
        via: 'admin',
        actor: null,
        address: null,
        details: { last_name: { from: 'Hopper', to: 'Brewster Hopper' } },
      }),
    ]);
    const { out } = await operator.run(['users', 'rename', email, '--first-name', '', '--last-name', '']);
    expect(out).toMatch(new RegExp(`^name +${email}$`, 'm'));
  });

  it('an address without an account renames nothing', async () => {
    const { code, err } = await operator.run('users rename none@example.org --first-name A');
    expect({ code, err }).toEqual({ code: 1, err: 'heliograph admin: none@example.org has no account\n' });
  });

  it('an operator changes an email address, which keeps sessions, ends mailed links and mails the former address', async () => {
    const [email, wanted] = [newEmail(), newEmail()];
    const { id, password } = await create(email);
    const session = String((await signIn(email, password)).body.token);
    const change = { email: newEmail(), password };
    await cloud.call('POST /api/v1/user/email', { token: session, body: change });
    const links = [(await cloud.mail(change.email)).token];
    links.push(await cloud.make.oneTimeToken('reset', { userId: Number(id) }));
    expect(await operator.runForJson(`users email ${email} ${wanted}`)).toMatchObject({ id, email: wanted });
    expect((await operator.run(`users email ${wanted} ${wanted}`)).err).toBe('It had this address already\n');

    const user = await cloud.call('GET /api/v1/user', { token: session });
    expect(user).toMatchObject({ status: 200, body: { email: wanted } });
    expect((await signIn(wanted, password)).status).toBe(200);
    expect((await signIn(email, password)).status).toBe(401);
    const [toNewAddress, toPassword] = links;
    const body = { password: 'Another-horse-7', organization_id: 'none' };
    const used = [
      await cloud.call('POST /api/v1/user/email/confirm', { body: { token: toNewAddress } }),
      await cloud.call(`PUT /api/v1/password/reset/${toPassword}`, { body }),
    ];
    expect(used.map(({ status }) => status)).toEqual([422, 422]);
    const subjects = async () => (await cloud.mails(email)).map(({ subject }) => subject);
    await expect.poll(subjects).toContain('The email address of your Heliograph account was changed');
    const records = await operator.runForJson<object[]>(
      `audit --user ${wanted} --action account.email_changed`,
    );
    const details = { email: { from: email, to: wanted } };
    expect(records).toEqual([expect.objectContaining({ via: 'admin', actor: null, details })]);
  });

  it('an invited person whose address an operator changes is invited at the new one, and the former one is not mailed', async () => {
    const [email, wanted] = [newEmail(), newEmail()];
    const organization = await newOrganization();
    await create(email, `--invite --organization ${organization} --role member`);
    const first = await cloud.mail(email);
    await operator.runForJson(`users email ${email} ${wanted}`);

    const second = await cloud.mail(wanted);
    expect(second.subject).toBe(first.subject);
    expect(second.text.replace(second.token, '')).toBe(first.text.replace(first.token, ''));
    const body = { password: 'Another-horse-7', organization_id: 'none' };
    const use = (token: string) => cloud.call(`PUT /api/v1/password/set/${token}`, { body });
    expect((await use(first.token)).status).toBe(422);
    expect(await use(second.token)).toMatchObject({ status: 200, body: { user: { email: wanted } } });
    // Mails leave in turn: one that has not come before the next one never was queued.
    await operator.runForJson(`users password ${wanted}`);
    await cloud.mail(wanted);
    expect(await cloud.mails(email)).toHaveLength(1);
  });

  it('an invited member of a site is invited to it again, at the address that an operator enters', async () => {
    const [email, wanted] = [newEmail(), newEmail()];
    const owner = await cloud.make.user();
    const site = await cloud.make.site({ name: 'annex', ownerId: owner.id });
    const invitee = { email, role: 'member', first_name: 'Ida', last_name: 'Noddack' };
    await cloud.call(`POST /api/v1/sites/${site.id}/users`, { token: owner.token, body: invitee });
    await cloud.mail(email);
    await operator.runForJson(`users email ${email} ${wanted}`);
    const mail = await cloud.mail(wanted);
    expect(mail.text).toContain('annex');
    expect(mail.link).toMatch(new RegExp(`#password/set/[^?]+\\?site_id=${site.id}$`));
  });

  it('an operator cannot give an account the email address of another one', async () => {
    const [email, other] = [newEmail(), newEmail()];
    await create(email);
    await create(other);
    const { code, err } = await operator.run(`users email ${email} ${other.toUpperCase()}`);
    expect({ code, err }).toEqual({ code: 1, err: 'heliograph admin: email has already been taken\n' });
  });

  it("an operator's new password cancels a requested change of the email address", async () => {
    const [email, wanted] = [newEmail(), newEmail()];
    const { password } = await create(email);
    const token = String((await signIn(email, password)).body.token);
    await cloud.call('POST /api/v1/user/email', { token, body: { email: wanted, password } });
    const link = (await cloud.mail(wanted)).token;
    await operator.runForJson(`users password ${email}`);
    expect((await cloud.call('POST /api/v1/user/email/confirm', { body: { token: link } })).status).toBe(422);
  });

  it('a password from standard input is accepted if it follows the rule', async () => {
    const email = newEmail();
    const command = `users create ${email} ${NAMES} --password-stdin`;
    const { code, err, out } = await operator.run(command, 'sunshine');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      'heliograph admin: password must have an upper case letter; password must have a digit or punctuation\n',
    );
    const made = await operator.runForJson(command, 'Sunlit-roof-1');
    expect(made).not.toHaveProperty('password');
    expect((await signIn(email, 'Sunlit-roof-1')).status).toBe(200);
  });

  it('a new password ends every session of the account', async () => {
    const email = newEmail();
    const { password } = await create(email);
    const { body } = await signIn(email, password);
    const { password: next } = await operator.runForJson(`users password ${email}`);
    expect((await cloud.call('GET /api/v1/user', { token: String(body.token) })).status).toBe(401);
    expect((await signIn(email, password)).status).toBe(401);
    expect((await signIn(email, next)).status).toBe(200);
  });

  it('a reset of the second factor ends every session and mails the account', async () => {
    const email = newEmail();
    const { password, id } = await create(email);
    const { token } = await addApp(cloud, { id: Number(id) });
    expect((await signIn(email, password)).status).toBe(412);
    await operator.runForJson(`users reset-second-factor ${email}`);
    expect((await cloud.call('GET /api/v1/user', { token })).status).toBe(401);
    expect((await signIn(email, password)).status).toBe(200);
    expect((await audited(email)).map(({ action }) => action)).toContain('second_factor.reset');
    const subjects = async () => (await cloud.mails(email)).map(({ subject }) => subject);
    await expect.poll(subjects).toContain('The second factor of your Heliograph account was reset');
    expect((await operator.run(`users reset-second-factor ${email}`)).err).toBe('It had none\n');
  });

  it('an invited account gets a mail from the cloud', async () => {
    const organization = await newOrganization();
    const email = newEmail();
    const invited = await create(email, `--invite --staff --organization ${organization} --role member`);
    expect(invited).toMatchObject({ has_password: false, confirmed: false, staff: true });
    expect(invited).not.toHaveProperty('password');
    const { token } = await cloud.mail(email);
    const set = await cloud.call(`PUT /api/v1/password/set/${token}`, {
      body: { password: 'Sunlit-roof-1', organization_id: organization },
    });
    expect(set).toMatchObject({ status: 200, body: { user: { email } } });
  });

  it('an account becomes an operator only with a confirmed address', async () => {
    const { email } = await cloud.make.user({ email: newEmail(), confirmed: false });
    const { code, err } = await operator.run(`users staff ${email} --on`);
    expect(code).toBe(1);
    expect(err).toContain('a stranger may have registered it');
    await operator.runForJson(`users confirm ${email}`);
    expect(await operator.runForJson(`users staff ${email} --on`)).toMatchObject({ staff: true });
  });

  it('an account is confirmed without a mail', async () => {
    const { email } = await cloud.make.user({ email: newEmail(), confirmed: false });
    expect((await operator.run(`users confirm ${email}`)).out).toMatch(/^state +confirmed$/m);
    expect((await operator.run(`users confirm ${email}`)).err).toBe('It was confirmed already\n');
    expect((await audited(email)).map(({ action }) => action)).toEqual(['account.confirmed']);
  });

  it('accounts are found by their data and printed with escaped characters', async () => {
    const email = newEmail();
    const names = { first_name: 'Red\u001b[31m', last_name: 'C1\u009b\u202e' };
    const typed = ['--first-name', names.first_name, '--last-name', names.last_name];
    expect(await operator.run(['users', 'create', email, ...typed])).toMatchObject({
      code: 2,
      err: expect.stringContaining('must not have control characters'),
    });
    await create(email);
    await cloud.db.updateTable('users').set(names).where('email', '=', email).execute();
    const { out } = await operator.run(`users list ${email}`);
    expect(out).toMatch(/^ID {2}EMAIL +NAME +STATE +STAFF +CUSTOMER OF +WORKS FOR\n/);
    expect(out).toContain('Red\ufffd[31m C1\ufffd\ufffd');
    const json = await operator.run(`users list ${email} --json`);
    expect(json.out).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(JSON.parse(json.out)).toMatchObject([{ email, last_name: 'C1\u009b\u202e' }]);
    expect(await operator.run('users list nobody-is-called-so')).toEqual({
      code: 0,
      out: '',
      err: 'No users\n',
    });
    expect(await operator.runForJson('users list nobody-is-called-so')).toEqual([]);
  });
});

it('a person without a name is listed by email', async () => {
  const organization = await newOrganization();
  const { email } = await cloud.make.user({ email: newEmail(), firstName: '', lastName: '' });
  await operator.runForJson(`organizations add ${email} --organization ${organization} --role admin`);
  const twice = new RegExp(`\\b${email} +${email} `);
  expect((await operator.run(`users list ${email}`)).out).toMatch(twice);
  expect((await operator.run(`organizations members ${organization}`)).out).toMatch(twice);
  expect((await operator.run(`users show ${email}`)).out).toMatch(new RegExp(`^name +${email}$`, 'm'));
  expect(await operator.runForJson(`users show ${email}`)).toMatchObject({ first_name: '', last_name: '' });
});

describe('heliograph admin organizations', () => {
  it('the host of an organization is used in links of its mails', async () => {
    const id = await newOrganization();
    expect(
      await operator.runForJson(`organizations change ${id} --cloud-host My${id}.Example.org`),
    ).toMatchObject({
      cloud_host: `my${id}.example.org`,
      cloud_host_vetted: true,
    });
    expect(await operator.runForJson(`organizations list my${id}.example`)).toMatchObject([{ id }]);
    expect((await operator.runForJson(`organizations change ${id} --cloud-host none`)).cloud_host).toBeNull();
    const taken = await operator.run(`organizations change ${id} --cloud-host cloud.example`);
    expect(taken).toMatchObject({ code: 1, err: 'heliograph admin: cloud host has already been taken\n' });
  });

  it('invitations to new accounts are in the language of the organization', async () => {
    const id = await newOrganization();
    expect(await operator.runForJson(`organizations change ${id} --locale de`)).toMatchObject({
      locale: 'de',
    });
    const email = newEmail();
    await create(email, `--invite --organization ${id} --role member`);
    expect((await cloud.mail(email)).subject).toMatch(/^Einladung/);
    expect((await operator.runForJson(`organizations change ${id} --locale none`)).locale).toBeNull();
  });

  it('an organization is closed once it has no sites', async () => {
    const id = await newOrganization();
    const site = await cloud.make.site({ organizationId: id, name: `roof-${id}` });
    const refused = await operator.run(`organizations close ${id}`);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toContain(`cannot be closed because of site roof-${id}`);
    await cloud.db.deleteFrom('sites').where('id', '=', site.id).execute();
    expect(await operator.runForJson(`organizations close ${id}`)).toMatchObject({ id });
    expect((await operator.run(`organizations close ${id}`)).err).toContain(`There is no organization ${id}`);
  });

  it('members are added and removed', async () => {
    const id = await newOrganization();
    const email = newEmail();
    await create(email);
    await operator.runForJson(`organizations add ${email} --organization ${id} --role owner`);
    expect(await operator.runForJson(`organization members ${id}`)).toMatchObject([{ email, role: 'owner' }]);
    const remove = `organizations remove ${email} --organization ${id}`;
    expect((await operator.run(remove)).err).toContain('The last owner cannot leave');
    const successor = newEmail();
    await create(successor);
    await operator.runForJson(`organizations add ${successor} --organization ${id} --role owner`);
    expect((await operator.run(remove)).code).toBe(0);
    expect((await operator.run(remove)).err).toBe(
      `heliograph admin: ${email} does not work for organization ${id}\n`,
    );
  });
});

describe('heliograph admin devices', () => {
  it('a device goes from unknown to activated and back, and each step is recorded once', async () => {
    const device = await newDevice();
    const { uid } = device;
    expect((await operator.run(`devices activate ${uid}`)).err).toContain(`There is no device ${uid}`);
    expect((await connect(cloud, device)).body).toMatchObject({ status: 'inactive' });
    expect(await operator.runForJson(`devices list ${uid} --state inactive`)).toMatchObject([{ uid }]);
    await operator.runForJson(`devices activate ${uid}`);
    await operator.runForJson(`devices revoke ${uid}`);
    expect((await connect(cloud, device)).status).toBe(403);
    expect(await operator.runForJson(`devices restore ${uid}`)).toMatchObject({ state: 'unregistered' });
    const again = await operator.run(`devices provision ${uid}`);
    expect(again).toMatchObject({ code: 0, err: 'It was known already\n' });
    const records = await operator.runForJson<{ action: string }[]>(`audit --device ${uid}`);
    expect(records.map(({ action }) => action)).toEqual([
      'device.restored',
      'device.revoked',
      'device.activated',
      'device.enrolled',
    ]);
  });

  it('a released device without a page of its own gets a code that registers it', async () => {
    const { id, uid } = await cloud.make.site();
    expect((await operator.run(`devices code ${uid}`)).err).toContain(`No device ${uid} is released`);
    await operator.runForJson(`sites release ${id}`);
    cloud.clock.advance(Date.now() - cloud.clock.now());
    const { code } = await operator.runForJson<{ code: string }>(`devices code ${uid}`);
    const { token } = await cloud.make.user();
    const body = { uid, code };
    expect((await cloud.call('POST /api/v1/sites/register', { token, body })).status).toBe(200);
    const records = await operator.runForJson<{ action: string; via: string }[]>(`audit --device ${uid}`);
    expect(records.map(({ action, via }) => `${action} ${via}`)).toEqual([
      'site.registered api',
      'device.registration_code_created admin',
      'site.released admin',
    ]);
  });

  it('a device is activated with a code of an organization or of the service', async () => {
    const organization = await newOrganization();
    const { token } = await cloud.make.user();
    for (const options of ['', ` --organization ${organization}`]) {
      const { id, code } = await operator.runForJson(`codes create --uses 2 --expires 30${options}`);
      const organization_id = options === '' ? null : organization;
      const listed = await operator.runForJson<{ id: unknown }[]>('codes list');
      expect(listed.find((one) => one.id === id)).toMatchObject({ uses_left: 2, organization_id });
      const redeem = async () => {
        const device = await newDevice();
        await connect(cloud, device);
        const body = { uid: device.uid, code };
        return (await cloud.call('POST /api/v1/sites/request_activation', { token, body })).status;
      };
      expect(await redeem()).toBe(200);
      const another = await newOrganization();
      expect((await operator.run(`codes revoke ${id} --organization ${another}`)).code).not.toBe(0);
      expect((await operator.run(`codes revoke ${id}${options}`)).code).toBe(0);
      expect(await redeem()).toBe(422);
      const [revoked] = await operator.runForJson<object[]>(
        'audit --action activation_code.revoked --limit 1',
      );
      expect(revoked).toMatchObject({ details: { code_id: id }, organization_id });
    }
    const others = await newOrganization();
    const { id } = await operator.runForJson(`codes create --organization ${organization}`);
    const ofOrganization = (one: number) => operator.runForJson(`codes list --organization ${one}`);
    expect(await ofOrganization(organization)).toMatchObject([{ id, organization_id: organization }]);
    expect(await ofOrganization(others)).toEqual([]);
  });

  it('many devices are provisioned with one command, from arguments or standard input', async () => {
    const uids = await Promise.all([newDevice(), newDevice(), newDevice(), newDevice()]);
    const [a = '', b = '', c = '', d = ''] = uids.map(({ uid }) => uid);
    const organization = await newOrganization();
    const typed = await operator.runForJson<object[]>(
      `devices provision ${a} ${b} --organization ${organization}`,
    );
    expect(typed).toMatchObject([
      { uid: a, state: 'provisioned', organization_id: organization },
      { uid: b, state: 'provisioned', organization_id: organization },
    ]);
    const read = await operator.run('devices provision -', `${b}\n${c}\r\n\n ${c}\n`);
    expect(read).toMatchObject({ code: 0, err: '1 of 2 were known already\n' });
    expect(read.out).toContain(c);
    expect(await operator.run(`devices provision ${d} a/b ${a}`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^heliograph admin: a\/b: uid must have .* \(1 before it were provisioned\)\n$/,
      ),
    });
    expect((await operator.run(`devices show ${d}`)).code).toBe(0);
    expect(await operator.run('devices provision -', ' \n')).toMatchObject({ code: 2 });
  });
});

describe('heliograph admin sites', () => {
  it('an operator finds a site, hands it over and ends it, and its people are mailed', async () => {
    const [former, next] = [await cloud.make.user(), await cloud.make.user()];
    const organizationId = await newOrganization();
    const other = await cloud.make.site({ name: 'other-roof' });
    const { id } = await cloud.make.site({ name: 'handed-over', ownerId: former.id, organizationId });
    const found = (query: string) => operator.runForJson<{ id: number }[]>(`sites list ${query}`);
    expect(await found('handed-over')).toMatchObject([{ id, owner: { id: former.id } }]);
    expect(await found(`--organization ${organizationId}`)).toMatchObject([{ id }]);
    expect((await found('--limit 200')).map((site) => site.id)).toEqual(
      expect.arrayContaining([id, other.id]),
    );
    expect((await operator.run(`sites transfer ${id} ${former.email}`)).err).toBe('It was theirs already\n');

    const transferred = await operator.runForJson(`sites transfer ${id} ${next.email}`);
    expect(transferred).toMatchObject({ owner: { id: next.id } });
    const { out } = await operator.run(`sites show ${id}`);
    expect(out).toMatch(new RegExp(`${former.email}.*admin$`, 'm'));
    for (const { email } of [former, next]) expect((await cloud.mail(email)).text).toContain('handed-over');
    const records = await operator.runForJson<object[]>(
      `audit --site ${id} --action site.ownership_transferred`,
    );
    expect(records).toMatchObject([{ via: 'admin', actor: null, user: { id: next.id } }]);

    const released = await operator.runForJson(`sites release ${id}`);
    expect(released).toEqual({ id, name: 'handed-over', released: true });
    expect((await operator.run(`sites show ${id}`)).code).toBe(1);
    expect((await cloud.call(`GET /api/v1/sites/${other.id}`, { token: next.token })).status).toBe(404);
    expect((await operator.run(`sites show ${other.id}`)).code).toBe(0);
  });

  it('an account is deleted a week after an operator asked for it, or kept, but not while it owns a site', async () => {
    const email = newEmail();
    const { id, password } = await create(email);
    const session = String((await signIn(email, password)).body.token);
    const site = await cloud.make.site({ name: 'in-the-way', ownerId: Number(id) });
    expect((await operator.run(`users delete ${email}`)).err).toContain('because of site in-the-way');
    await operator.runForJson(`sites release ${site.id}`);
    const due = await operator.runForJson<{ deletion_due_at: string }>(`users delete ${email}`);
    expect(Date.parse(due.deletion_due_at)).toBeGreaterThan(Date.now() + 6 * 24 * 60 * 60 * 1000);
    expect((await cloud.call('GET /api/v1/user', { token: session })).status).toBe(401);
    const subjects = async () => (await cloud.mails(email)).map(({ subject }) => subject);
    await expect.poll(subjects).toContain('Your Heliograph account will be deleted');
    expect((await operator.run(`users delete ${email}`)).err).toBe('It was to be deleted already\n');
    expect((await audited(email))[0]).toMatchObject({ action: 'account.deletion_requested', via: 'admin' });
    expect((await operator.run(`users delete ${email} --cancel`)).code).toBe(0);
    expect((await operator.run(`users delete ${email} --cancel`)).err).toBe(
      `heliograph admin: ${email} is not to be deleted\n`,
    );
  });
});

describe('heliograph admin proxies', () => {
  // The command line compares the last announcement with the real clock.
  beforeEach(() => cloud.clock.advance(Date.now() - cloud.clock.now()));

  it('a drained proxy stays so whatever it announces, until it is undrained', async () => {
    await cloud.announce('us-1', { run: 'first', sequence: 1 });
    await cloud.announce('us-2', { sessions: [{ uid: 'x', site_id: 1 }] });
    const device = await newDevice();
    await operator.runForJson(`devices provision ${device.uid}`);
    const { token } = await cloud.make.user();
    await connect(cloud, device);
    await cloud.call('POST /api/v1/sites/register', { token, body: { uid: device.uid } });
    const dials = async () => (await connect(cloud, device)).body.proxy;
    expect(await dials()).toMatchObject({ name: 'us-1' });
    expect(await operator.runForJson('proxies drain us-1')).toMatchObject({ drain_wanted: true });
    expect((await operator.run('proxies drain us-1')).err).toBe('It was so already\n');
    expect((await cloud.announceChange('us-1', { sequence: 2 })).body.drain).toBe(true);
    expect((await cloud.announce('us-1')).body.drain).toBe(true);
    expect((await cloud.announce('us-2')).body.drain).toBe(false);
    expect(await dials()).toMatchObject({ name: 'us-2' });
    expect(await operator.runForJson('proxies undrain us-1')).toMatchObject({ drain_wanted: false });
    expect((await cloud.announce('us-1')).body.drain).toBe(false);
    const records = await operator.runForJson<{ action: string }[]>('audit');
    const [second, first] = records.filter(({ action }) => action.startsWith('proxy.'));
    expect(first).toMatchObject({ action: 'proxy.drain_wanted', via: 'admin', details: { name: 'us-1' } });
    expect(second).toMatchObject({ action: 'proxy.drain_unwanted' });
  });

  it('a proxy is forgotten once it is gone, and its devices are offline', async () => {
    const { uid, id } = await cloud.make.site();
    await cloud.announce('us-gone', { sessions: [{ uid, site_id: id }] });
    const seen = new Date(cloud.clock.now()).toISOString();
    const live = await operator.run('proxies forget us-gone');
    expect(live).toMatchObject({ code: 1, err: expect.stringContaining('us-gone is still heard of') });
    await cloud.db
      .updateTable('proxies')
      .set({ announced_at: new Date(Date.parse(seen) - 60_000) })
      .where('name', '=', 'us-gone')
      .execute();
    const listed = await operator.runForJson<{ name: string }[]>('proxies list');
    expect(listed.find(({ name }) => name === 'us-gone')).toMatchObject({ state: 'gone', sessions: 1 });
    expect(await operator.runForJson('proxies forget us-gone')).toEqual({ name: 'us-gone', forgotten: true });
    const after = await operator.runForJson<{ name: string }[]>('proxies list');
    expect(after.find(({ name }) => name === 'us-gone')).toMatchObject({ state: 'new', sessions: 0 });
    expect(await operator.runForJson(`devices show ${uid}`)).toMatchObject({
      online: false,
      proxy: 'us-gone',
      last_seen_at: new Date(Date.parse(seen) - 60_000).toISOString(),
    });
  });
});

it('a proxy has a credential of its own, which is rotated while both are valid, revoked, and removed', async () => {
  interface Made {
    readonly id: number;
    readonly credential: string;
  }
  const body = { host: 'eu-9.example.org', url: 'https://eu-9.example.org', region: 'eu', sessions: [] };
  const announce = async ({ credential }: Made) =>
    (await cloud.call('PUT /api/v1/proxies/eu-9', { token: credential, body })).status;

  const first = await operator.runForJson<Made>('proxies add eu-9');
  expect(await operator.runForJson('proxies list')).toContainEqual(
    expect.objectContaining({ name: 'eu-9', state: 'new', credentials: [expect.anything()] }),
  );
  expect(await announce(first)).toBe(200);
  expect((await operator.run('proxies add eu-9')).err).toContain('eu-9 has a credential: rotate it');
  expect((await operator.run('proxies rotate eu-10')).err).toContain('eu-10 has no such credential');
  expect((await operator.run('proxies add Eu_9')).err).toContain('lower-case letters');

  const second = await operator.runForJson<Made>('proxies rotate eu-9');
  expect([await announce(first), await announce(second)]).toEqual([200, 200]);
  expect((await operator.run('proxies rotate eu-9')).err).toContain('revoke one of them first');
  const listed = await operator.run('proxies credentials eu-9');
  expect(listed.out).toMatch(/^ *ID +PROXY +CREATED +USED +FROM\n/);
  expect(listed.out).not.toContain('hgp_');

  expect(await operator.runForJson(`proxies revoke eu-9 --credential ${first.id}`)).toEqual({
    name: 'eu-9',
    revoked: [first.id],
  });
  expect([await announce(first), await announce(second)]).toEqual([401, 200]);
  expect((await operator.run(`proxies revoke eu-9 --credential ${first.id}`)).code).toBe(1);

  expect(await operator.runForJson('proxies remove eu-9')).toEqual({ name: 'eu-9', removed: true });
  expect(await announce(second)).toBe(401);
  expect((await operator.run('proxies list')).out).not.toContain('eu-9');
  expect((await operator.run('proxies remove eu-9')).err).toContain('There is no proxy eu-9');
  const records = await operator.runForJson<{ action: string }[]>('audit');
  expect(records.slice(0, 5)).toMatchObject([
    { action: 'proxy.forgotten', via: 'admin', details: { name: 'eu-9' } },
    { action: 'proxy.credential_revoked', details: { name: 'eu-9', credential_id: second.id } },
    { action: 'proxy.credential_revoked', details: { name: 'eu-9', credential_id: first.id } },
    { action: 'proxy.credential_created', details: { name: 'eu-9', credential_id: second.id } },
    { action: 'proxy.credential_created', details: { name: 'eu-9', credential_id: first.id } },
  ]);
});

it('a token is made once, listed without itself, and revoked', async () => {
  const email = newEmail();
  await create(email);
  const { id, token } = await operator.runForJson(`tokens create ${email} --name Script --scopes all`);
  const works = async () => (await cloud.call('GET /api/v1/users', { token: String(token) })).status;
  expect(await works()).toBe(200);
  const listed = await operator.run(`tokens list ${email} --json`);
  expect(JSON.parse(listed.out)).toMatchObject([{ id, name: 'Script', expires_at: null }]);
  expect(listed.out).not.toContain(String(token));
  expect((await operator.run(`tokens revoke ${id}`)).code).toBe(0);
  expect(await works()).toBe(401);
  expect(await operator.run(`tokens revoke ${id}`)).toMatchObject({
    code: 1,
    err: `heliograph admin: There is no API token ${id} that is good\n`,
  });
  expect(await audited(email)).toMatchObject([
    { action: 'token.revoked', via: 'admin' },
    { action: 'token.created', via: 'admin' },
    { action: 'account.created', via: 'admin' },
  ]);
});

it.each([
  [`users show nobody@example.org`, 'nobody@example.org has no account'],
  [`users create a@example.org ${NAMES} --organization 999999`, 'There is no organization 999999'],
  [`users create b@example.org ${NAMES} --locale xx`, `locale ${NO_LOCALE}`],
  ['organizations members 999999', 'There is no organization 999999'],
  [
    'devices provision a/b',
    'uid must have at most 64 letters, digits, dots, colons, hyphens and underscores, and begin with a letter or digit',
  ],
  ['devices show none', 'There is no device none: "devices provision" makes one known'],
  ['proxies drain none', 'There is no proxy none'],
  ['proxies forget none', 'There is no proxy none'],
  ['codes revoke 999999', 'There is no code 999999'],
  ['sites show 999999', 'There is no site 999999'],
  ['sites release 999999', 'There is no site 999999'],
  ['sites transfer 999999 nobody@example.org', 'nobody@example.org has no account'],
])('%s fails in one line', async (line, message) => {
  expect(await operator.run(line)).toEqual({ code: 1, out: '', err: `heliograph admin: ${message}\n` });
});

it('an account that there is already is not made again', async () => {
  const email = newEmail();
  await create(email);
  const err = `heliograph admin: ${email.toUpperCase()} has an account already\n`;
  for (const options of ['', ' --invite']) {
    const again = await operator.run(`users create ${email.toUpperCase()} ${NAMES}${options}`);
    expect(again).toEqual({ code: 1, out: '', err });
  }
});
