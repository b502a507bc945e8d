import { createHash } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { Client } from 'pg';

/** Bearer tokens of the filled database. */
export const TOKENS = {
  /** An operator, who sees everything. */
  staff: 'hga_bench-staff-0123456789012345678901234567890',
  /** Works for an organization of 50 sites and 50 customers. */
  employee: 'hga_bench-employee-0123456789012345678901234567',
  /** The same, and may change things. */
  manager: 'hga_bench-manager-01234567890123456789012345678',
} as const;

/** Of the first 1,000 users. */
export const PASSWORD = 'Correct-horse-7';

/** Sites of the employee's organization. */
export const ORGANIZATION_SITES = 50;

const INVERTERS = ['Deye SG05LP1', 'SunSynk Max', 'Growatt SPH', 'Voltronic Axpert Max', 'Lux LXP'];
const VOCABULARY = ['garage', 'barn', 'roof', 'farm', 'cabin', 'office', 'shed', 'school', 'clinic', 'pump'];

/**
 * The given number of users, sites and devices, each user with one site. Every word of {@link VOCABULARY} is common,
 * `needle` is in one of 50 rows at most, and names and numbers occur once.
 */
export async function fill(client: Client, rows: number): Promise<void> {
  const run = (text: string, values: unknown[] = []) => client.query(text, values);
  // A million rows go in minutes faster when the indexes are made at the end, and a site's words with the site.
  const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where schemaname = 'public'
      and tablename in ('users', 'sites', 'devices')
      and indexname not in (select conname from pg_constraint)`,
  );
  for (const { indexname } of indexes) await run(`drop index ${indexname}`);
  await run('alter table devices disable trigger user');
  await run(`insert into organizations (name, cloud_host)
    select 'Solar company ' || i, 'company-' || i || '.example.org' from generate_series(1, 20) as i`);
  await run(
    `insert into users (email, first_name, last_name, phone_number, confirmed_at, staff, organization_id)
    select 'user' || i || '@example.org', (array['Ada', 'Ben', 'Cleo', 'Dan', 'Eve'])[1 + i % 5], 'Name' || i,
      '+1 555 ' || lpad(i::text, 7, '0'), now(), i = 1,
      case when i <= $2 then 1 else 2 + i % 19 end
    from generate_series(1, $1::int) as i`,
    [rows, ORGANIZATION_SITES],
  );
  await run(`insert into organization_members (organization_id, user_id, role) values (1, 2, 'admin')`);
  await run(`insert into proxies (name, region, host, url, session_count, announced_at)
    values ('us-1', 'us', 'us-1.example.org', 'https://us-1.example.org', 1, now() + interval '1 day')`);
  await run(
    `insert into sites (name, description, region, owner_id, organization_id, device_words)
    select 'site-' || i, ($2::text[])[1 + i % 10] || ' ' || ($2::text[])[1 + i / 10 % 10]
        || case when i % ($1 / 20) = 7 then ' needle' else '' end,
      'us', i, case when i <= $3 then 1 else 2 + i % 19 end,
      search_words(concat_ws(' ', 'us-1', ($4::text[])[1 + i % 5], 'Pylontech US3000', 'arm64', 'Raspberry Pi 4'))
    from generate_series(1, $1::int) as i`,
    [rows, VOCABULARY, ORGANIZATION_SITES, INVERTERS],
  );
  await run(
    `insert into devices (uid, public_key, enrolled_at, activated_at, site_id, arch, board, version, build_date,
      local_ip, inverter, inverter_count, inverter_params, battery, battery_count, online, proxy_name, last_seen_at)
    select 'device' || i, jsonb_build_object('x', i), now(), now(), i, 'arm64', 'Raspberry Pi 4', '0.1.0',
      '2026-06-15', '192.168.1.' || i % 250, ($2::text[])[1 + i % 5], 1,
      jsonb_build_object('phases', 1 + i % 3, 'serial', 'S' || i), 'Pylontech US3000', 2, i % 10 < 7, 'us-1',
      now() - i % 1000 * interval '1 hour'
    from generate_series(1, $1::int) as i`,
    [rows, INVERTERS],
  );
  await run(`insert into site_models (site_id, part, model)
    select site_id, 'inverter', model from devices, reported_models(inverter) as model
    union all select site_id, 'battery', model from devices, reported_models(battery) as model`);
  const passwordHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  await run('update users set password_hash = $1 where id <= 1000', [passwordHash]);
  await addTokens(client);
  await run('alter table devices enable trigger user');
  for (const { indexdef } of indexes) await run(indexdef);
  await run('vacuum analyze');
}

const READS = ['sites:read_all', 'users:read_all'];

async function addTokens(client: Client): Promise<void> {
  const add = (token: string, userId: number, organizationId: number | null, scopes = READS) =>
    client.query(
      `insert into tokens (kind, hash, user_id, scopes, organization_id, created_at, last_used_at)
      values ('api', $1, $2, $4, $3, now(), now() + interval '1 day')`,
      [createHash('sha256').update(token).digest(), userId, organizationId, scopes],
    );
  await add(TOKENS.staff, 1, null);
  await add(TOKENS.employee, 2, 1);
  await add(TOKENS.manager, 2, 1, [...READS, 'sites:write_all']);
}
