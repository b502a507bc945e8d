import { expect, it } from 'vitest';
import { Operator } from '../../../test/operator/admin/operator.ts';
import { startTestCloud } from '../../../test/test-cloud.ts';

interface ListedKey {
  readonly kid: string;
  readonly purpose: string;
  readonly state: string;
}

it('keys are listed, rotated and withdrawn, and a cloud that runs takes it up', async () => {
  await using cloud = await startTestCloud();
  const operator = new Operator(cloud.databaseUrl);
  // The command line goes by the real clock, and a key waits for a day before it may sign.
  cloud.clock.advance(Date.now() - cloud.clock.now());
  const longAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
  await cloud.db.updateTable('signing_keys').set({ created_at: longAgo }).execute();
  await cloud.db
    .updateTable('signing_keys')
    .set({ signs_from: longAgo })
    .where('signs_from', 'is not', null)
    .execute();
  const listFor = async (wanted: string) =>
    (await operator.runForJson<ListedKey[]>('keys list')).filter(({ purpose }) => purpose === wanted);
  const list = () => listFor('sites');
  const published = async () => {
    const { body } = await cloud.call<{ keys: { kid: string }[] }>('GET /.well-known/jwks.json');
    return body.keys.map(({ kid }) => kid);
  };

  const [signing, next] = await list();
  expect([signing?.state, next?.state]).toEqual(['signing', 'next']);
  expect((await operator.run('keys list')).out).toMatch(
    /^KEY +PURPOSE +STATE +CREATED +SIGNS FROM +PUBLISHED UNTIL\n/,
  );

  expect(await operator.runForJson('keys rotate sites')).toMatchObject({ kid: next?.kid, state: 'signing' });
  await expect.poll(published).toHaveLength(3);
  expect((await list()).map(({ state }) => state)).toEqual(['old', 'signing', 'next']);
  const [, , newest] = await list();
  expect(await operator.run('keys rotate sites')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^state +next$/m),
  });

  const [, nextIdentity] = await listFor('identity');
  expect(await operator.runForJson('keys rotate identity')).toMatchObject({
    kid: nextIdentity?.kid,
    purpose: 'identity',
    state: 'signing',
  });
  expect(await published()).not.toContain(nextIdentity?.kid);
  expect(await operator.run('keys rotate all')).toMatchObject({
    code: 2,
    err: expect.stringContaining('The purpose is sites or identity'),
  });

  expect(await operator.runForJson(`keys revoke ${signing?.kid}`)).toEqual({
    kid: signing?.kid,
    revoked: true,
  });
  await expect.poll(published).not.toContain(signing?.kid);
  expect(await published()).toContain(newest?.kid);
  expect(await operator.run('key revoke -not-a-key')).toEqual({
    code: 1,
    out: '',
    err: 'heliograph admin: There is no key -not-a-key\n',
  });
  expect(await operator.runForJson('audit --action signing_key.revoked')).toMatchObject([
    { via: 'admin', details: { kid: signing?.kid, purpose: 'sites', state: 'old' } },
  ]);
});
