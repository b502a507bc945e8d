import { createCloudClient } from '@heliograph/client';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestSystem } from '../src/testing/test-system.ts';
import { passBotCheck } from './bot-check-client.ts';
import { bash, hasShell, readPage, SHELL_TIMEOUT_MS, shellBlocks } from './shell.ts';

/** The commands of the guide to the API, and the searches that it lists. */
export function describeApiGuide(systemOf: () => TestSystem): void {
  let system: TestSystem;
  beforeAll(() => {
    system = systemOf();
  });
  const PAGE = readPage('docs/api.md');

  /** The blocks as a reader types them, with the token that a browser's bot check would have got. */
  async function typed(): Promise<string> {
    let script = 'step() { printf "\\n=== %s\\n" "$1"; }\n';
    for (const [i, block] of shellBlocks(PAGE).entries()) {
      const token = block.includes('VERIFICATION_TOKEN=...') ? await passBotCheck(system.run.cloud.url) : '';
      script += `step ${i}\n${block.replace(/^VERIFICATION_TOKEN=.*$/m, `VERIFICATION_TOKEN=${token}`)}`;
    }
    return script;
  }

  describe('the guide to the API', () => {
    it.skipIf(!hasShell())(
      'the commands of the guide work, one after the other',
      { timeout: SHELL_TIMEOUT_MS },
      async () => {
        const output = await bash(await typed(), system.dataFolder);
        const answers = output.split(/\n=== \d+\n/).slice(1);
        const expected: readonly (readonly string[])[] = [
          [],
          ['"name":"my dashboard"', '"scopes":["sites:read_all"]'],
          [],
          ['click_email_link'],
          ['"expires_at"', '"email":"grace@example.org"', '"locale":"pt"'],
          ['"first_name":"Gracie","last_name":"Example","phone_number":"+44 20 7946 0018"'],
          ['"pending":{"email":"gracie@example.org"', '}gracie@example.org'],
          ['{"email":"amazing.grace@example.org"}'],
          ['"email":"amazing.grace@example.org"'],
          ['"email":"demo@heliograph.test"'],
          ['"name":"demo"', '"users":[{'],
          ['"name":"demo"', '"status":"activated"'],
          ['[]'],
          ['"subject":"No sun"', '"name":"day.csv"', '"body":"Still dark."', '"state":"resolved"'],
          ['"state":"requested"', '"access":"diagnose"', '"hours":4'],
          ['"topic":"total/pv_power"'],
          ['[]'],
          ['"series":[{"topic":"total/pv_power"', '"step":300', '"step":3600'],
          ['"step":"day"', '"step":"hour","from":"2026-11-22T00:00:00', 'from,pv,load,battery_in'],
          ['"currency":"EUR"', 'from 2026-01-01: import night 0.21, 0.32, export 0.0778 EUR'],
          ['{"agreed":false,"decided_at":null}', '{"agreed":true,', '{"agreed":false,"decided_at":"'],
          ['battery_low', 'state_of_charge'],
          ['"role":"admin"', '"role":"owner"', '"email":"bo@example.org"'],
          ['[]'],
          ['"email":"ida@example.org"'],
          ['[]'],
          ['"name":"Roof planner"', '"client_secret_hint":"…', '"http://localhost:3000/signed-in"]'],
          ['[]{"organizations":[],"connections":[]}'],
        ];
        expect(answers).toHaveLength(expected.length);
        for (const [i, parts] of expected.entries()) {
          for (const part of parts) expect(answers[i]).toContain(part);
        }
        expect(output).not.toMatch(/"errors?":/);
      },
    );

    it('the cloud accepts every search of the guide', async () => {
      const cloud = createCloudClient({ url: system.run.cloud.url, token: system.run.account.api_token });
      const [, table = ''] = /\| `q` \| finds \|\n.*\n((?:\|.*\n)+)/.exec(PAGE) ?? [];
      const searches = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
        [...cell.matchAll(/`([^`]+)`/g)].map(([, q = '']) => q),
      );
      expect(searches.length).toBeGreaterThan(10);
      const found = new Map<string, number>();
      for (const q of searches) found.set(q, (await cloud.listSites({ q })).length);
      expect(['dem', 'name:demo', 'online:true', 'channel:stable'].map((q) => found.get(q))).toEqual([
        1, 1, 1, 1,
      ]);
      expect(['online:false', 'channel:beta', 'roof:south'].map((q) => found.get(q))).toEqual([0, 0, 0]);
    });
  });
}
