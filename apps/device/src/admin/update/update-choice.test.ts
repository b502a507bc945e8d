import { temporaryFolder } from '@heliograph/dev/testing';
import { silentLogger } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { UpdateChoice } from './update-choice.ts';
import { readUpdateSettings } from './update-settings.ts';

it('a device follows what its owner chose for the site, also before the cloud answers again', async () => {
  await using folder = await temporaryFolder();
  const options = { dataFolder: folder.path, configured: {}, hasCloud: true, logger: silentLogger };
  const first = await UpdateChoice.open(options);
  expect(first.settings).toEqual({ channel: 'stable', automatic: false });
  await first.learn({ channel: 'beta', automatic: true });
  expect((await UpdateChoice.open(options)).settings).toEqual({ channel: 'beta', automatic: true });
  expect(await readUpdateSettings(folder.path)).toEqual({ channel: 'beta', automatic: true });
  // A device without a cloud follows no site.
  const alone = await UpdateChoice.open({ ...options, hasCloud: false });
  expect(alone.settings).toEqual({ channel: 'stable', automatic: false });
});

it('the configuration file comes before the choice for the site', async () => {
  await using folder = await temporaryFolder();
  const configured = { channel: undefined, automatic: false };
  const options = { dataFolder: folder.path, configured, hasCloud: true, logger: silentLogger };
  const choice = await UpdateChoice.open(options);
  await choice.learn({ channel: 'beta', automatic: true });
  expect(choice.settings).toEqual({ channel: 'beta', automatic: false });
  expect(await readUpdateSettings(folder.path)).toEqual({ channel: 'beta', automatic: false });
});
