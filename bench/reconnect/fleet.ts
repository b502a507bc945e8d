import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from 'pg';
import { startChild } from '../child.ts';
import { PROXY_CREDENTIAL, PROXY_NAME } from '../proxy-process.ts';
import type { AllUp, BeginOrder, EnrolledDevice } from './devices.ts';

/** Many devices in a few processes. */
export class Fleet implements Disposable {
  readonly devices: readonly EnrolledDevice[];
  readonly #processes: readonly ChildProcess[];

  private constructor(processes: readonly ChildProcess[], devices: readonly EnrolledDevice[]) {
    this.#processes = processes;
    this.devices = devices;
  }

  /** They have keys and do nothing yet. */
  static async make(count: number, processes: number): Promise<Fleet> {
    const share = count / processes;
    const program = join(import.meta.dirname, 'devices.ts');
    const started = await Promise.all(
      Array.from({ length: processes }, (_, index) =>
        startChild<EnrolledDevice[]>(program, { order: { count: share, first: index * share } }),
      ),
    );
    return new Fleet(
      started.map((child) => child.process),
      started.flatMap(({ message }) => message),
    );
  }

  begin(order: BeginOrder): void {
    for (const child of this.#processes) child.send(order);
  }

  /** Once every device has come up again. */
  async allUp(): Promise<AllUp> {
    const messages = await Promise.all(
      this.#processes.map((child) => once(child, 'message') as Promise<[AllUp]>),
    );
    return {
      upAt: messages.flatMap(([{ upAt }]) => upAt),
      requested: messages.flatMap(([{ requested }]) => requested),
    };
  }

  [Symbol.dispose](): void {
    for (const child of this.#processes) child.disconnect();
  }
}

/** One account with a site for each device, and the credential of the proxy. */
export async function addDevices(client: Client, devices: readonly EnrolledDevice[]): Promise<void> {
  await client.query(`insert into organizations (name, cloud_host) values ('Bench', 'bench.example.org')`);
  await client.query(
    `insert into proxy_credentials (proxy_name, hash, created_at) values ($1, sha256($2::bytea), now())`,
    [PROXY_NAME, Buffer.from(PROXY_CREDENTIAL)],
  );
  await client.query(
    `insert into users (email, first_name, last_name, phone_number, confirmed_at, organization_id)
    values ('user@example.org', 'Ada', 'Bench', '', now(), 1)`,
  );
  await client.query(
    `insert into sites (name, region, owner_id) select 'site-' || i, 'local', 1 from generate_series(1, $1::int) as i`,
    [devices.length],
  );
  await client.query(
    `insert into devices (uid, public_key, enrolled_at, activated_at, site_id, arch, version, inverter_count, battery_count)
    select d ->> 'uid', d -> 'publicKey', now(), now(), ordinality, 'arm64', '0.1.0', 1, 0
    from jsonb_array_elements($1::jsonb) with ordinality as t (d, ordinality)`,
    [JSON.stringify(devices)],
  );
  await client.query('analyze');
}
