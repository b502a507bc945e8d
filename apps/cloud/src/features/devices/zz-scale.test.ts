import { sql } from 'kysely';
import { it } from 'vitest';
import { startTestCloud } from '../../testing/test-cloud.ts';

it('scale', async () => {
  await using cloud = await startTestCloud();
  const home = await cloud.make.organization();
  const admin = await cloud.make.employee(home, 'admin');
  const staff = await cloud.make.user({ staff: true });
  const owner = await cloud.make.user();
  await sql`insert into sites (name, region, owner_id, organization_id) select 's'||i, 'us', ${owner.id}, case when i % 1000 = 0 then ${sql.lit(home)} end from generate_series(1,60000) i`.execute(
    cloud.db,
  );
  await sql`insert into devices (uid, public_key, enrolled_at, activated_at, site_id, arch, version) select md5(id::text), '{}', now(), now(), id, 'arm64', '1' from sites`.execute(
    cloud.db,
  );
  await sql`update devices set revoked_at = now() where site_id % 20000 = 0`.execute(cloud.db);
  await sql`analyze`.execute(cloud.db);
  const other = await cloud.make.user();
  for (const [name, q, token] of [
    ['staff', '', staff.token],
    ['prefix', '?q=abc', staff.token],
    ['revoked', '?state=revoked', staff.token],
    ['inactive', '?state=inactive', staff.token],
    ['registered', '?state=registered', staff.token],
    ['org', '', admin.token],
    ['orgprefix', '?q=ab', admin.token],
    ['other', '', other.token],
    ['owner of all', '', owner.token],
    ['one', '/' + 'c4ca4238a0b923820dcc509a6f75849b', staff.token],
  ] as const) {
    await cloud.call('GET /api/v1/devices' + q, { token });
    const t = performance.now();
    for (let i = 0; i < 5; i++) await cloud.call('GET /api/v1/devices' + q, { token });
    console.log(name, ((performance.now() - t) / 5).toFixed(1));
  }
}, 200000);
