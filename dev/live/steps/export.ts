import { deepEqual, equal, ok } from 'node:assert/strict';
import { strFromU8, unzipSync } from 'fflate';
import type { Step } from '../step.ts';
import { until } from '../until.ts';

export const dataExport: Step = {
  name: 'export',
  title: 'an archive of the site is requested, made, announced by mail, downloaded and opened',
  async run(live) {
    const { site, account } = live.system.run;
    const owner = await live.signedIn();
    const { id } = await owner.requestExport({ site_id: site.id });
    const made = await until('the archive was made', async () =>
      (await owner.listExports()).find((one) => one.id === id && one.ready_at !== null),
    );
    await live.mail(account.email, /^Your archive from .* is ready$/);
    const file = await owner.downloadExport({ id });
    const bytes = new Uint8Array(await file.arrayBuffer());
    equal(bytes.length, made.size);
    const files = unzipSync(bytes);
    ok('README.txt' in files);
    const texts = Object.entries(files).filter(([name]) => name.endsWith('.json'));
    for (const [, text] of texts) JSON.parse(strFromU8(text));
    const sites = JSON.parse(strFromU8(files['site.json'] ?? new Uint8Array())) as { name: string }[];
    deepEqual(
      sites.map(({ name }) => name),
      [site.name],
    );
    await owner.signOut();
  },
};
