import { equal, match, ok } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBackup, listAlertRules, restoreBackup, setAlertRules } from '@heliograph/client';
import { assertNoneFell, counters } from '../home-energy.ts';
import type { Live } from '../live.ts';
import type { Step } from '../step.ts';
import { until } from '../until.ts';

const PASSPHRASE = 'sun and rain on the roof';
const RULE = { id: 'battery_hot', name: null, enabled: false, severity: 'critical' } as const;

export const backup: Step = {
  name: 'backup',
  title: 'a backup of the device makes the same device again, on the card of another and on its own',
  async run(live) {
    const { password, uid } = live.system.run.device;
    const energies = await counters(live.device());
    await switchRule(live, false);
    const file = await createBackup(live.device(), { password, passphrase: PASSPHRASE });

    const path = join(live.folder, 'home.backup');
    await writeFile(path, new Uint8Array(await file.arrayBuffer()));
    const card = join(live.folder, 'card');
    const restored = await live.heliograph(['device', 'restore', '--data', card, path], {
      BACKUP_PASSPHRASE: PASSPHRASE,
    });
    match(restored, new RegExp(uid));

    await switchRule(live, true);
    await restoreBackup(live.device(), file, { password, passphrase: PASSPHRASE });
    await until('the rule is as it was in the backup', async () => !(await isEnabled(live)));
    equal((await live.device().about()).uid, uid);
    const after = await until('the counters were known again', () => counters(live.device()));
    assertNoneFell(energies, after);
    await live.siteAnswers();
  },
};

async function isEnabled(live: Live): Promise<boolean> {
  const { rules } = await listAlertRules(live.device());
  const rule = rules.find(({ id }) => id === RULE.id);
  ok(rule !== undefined);
  return rule.enabled;
}

async function switchRule(live: Live, enabled: boolean): Promise<void> {
  const { rules } = await listAlertRules(live.device());
  const changed = rules.flatMap(({ id, name, severity, condition, ...rule }) => {
    if (id === RULE.id) return [{ id, name, severity, condition, enabled }];
    return rule.changed ? [{ id, name, severity, condition, enabled: rule.enabled }] : [];
  });
  await setAlertRules(live.device(), { rules: changed });
  equal(await isEnabled(live), enabled);
}
