import { Env, RELEASE_CHANNELS, type ReleaseChannel, reasonOf, systemClock } from '@heliograph/kit';
import { expectArguments, parseArguments, printable, table, UsageError } from '@heliograph/kit/terminal';
import { DeviceProcess } from '../update/device-process.ts';
import { Installation } from '../update/installation.ts';
import { type ReleaseSource, readReleaseSource } from '../update/release-server.ts';
import { readUpdateSettings } from '../update/update-settings.ts';
import { Updater, type UpdateStep } from '../update/updater.ts';
import { CommandFailed, type DeviceCommand, type World } from './command.ts';
import { deviceUrl } from './device-data.ts';

const STEPS: Readonly<Record<UpdateStep, string>> = {
  download: 'downloading release',
  unpack: 'unpacking release',
  try: 'checking that this machine runs release',
  name: 'installing release',
  'begin trial': 'trying release',
  switch: 'switching to release',
  restart: 'restarting the device with release',
  wait: 'waiting until the device works with release',
  confirm: 'keeping release',
  'roll back': 'going back to release',
  'restart again': 'restarting the device with release',
};

export const updateCommand: DeviceCommand = {
  name: 'update',
  summary: 'update this device to the newest release, or go back',
  help: `heliograph device update [--check | --status | --roll-back | --automatic] [--channel CHANNEL]

Updates a device that was installed from a release archive: downloads the newest release of its channel, checks its signature,
switches to it and restarts the device. Where the device does not work then, it goes back to the release before. Run it as root.
A device that was installed as a Debian package is updated by apt.

  --check            only prints whether there is a newer release
  --status           prints the release that runs, and how the last updates ended
  --roll-back        goes back to the release before
  --automatic        updates only where the device's owner enabled it, and the release's percentage includes this device
  --channel CHANNEL  stable or beta (default: as the device's owner chose)
  --folder FOLDER    where the device is installed (default: where this program is)`,

  async run(args, world) {
    const { positionals, values } = parseArguments(args, {
      check: { type: 'boolean' },
      status: { type: 'boolean' },
      'roll-back': { type: 'boolean' },
      automatic: { type: 'boolean' },
      channel: { type: 'string' },
      folder: { type: 'string' },
    });
    expectArguments(positionals, []);
    const { check, status, automatic, channel, folder } = values;
    if ([check, status, automatic, values['roll-back']].filter(Boolean).length > 1) {
      throw new UsageError('--check, --status, --roll-back and --automatic exclude each other');
    }
    const installation = await installationOf(folder);
    if (status) return await printStatus(installation, world);

    const env = new Env(world.env);
    const settings = await readUpdateSettings(env.string('DEVICE_DATA'));
    if (automatic && !settings.automatic) {
      world.print('The owner of this device has not enabled updates without a request');
      return;
    }
    const service = new DeviceProcess(`${deviceUrl(env)}/healthz`, await installation.restartProgram());
    if (automatic && (await service.isStopped())) {
      world.print('The device is stopped: it is updated once it runs again');
      return;
    }
    const updater = new Updater({
      installation,
      source: await sourceOf(installation),
      service,
      clock: systemClock,
      onStep: (step, version) => world.print(`${STEPS[step]} ${version}`),
    });
    const wanted = { channel: channelOf(channel) ?? settings.channel, isAutomatic: automatic === true };
    const current = await installation.current();
    if (values['roll-back']) {
      world.print(`The device runs release ${await updater.rollBack()} again`);
    } else if (check) {
      const release = await updater.available(wanted);
      world.print(
        release === undefined
          ? `The device runs ${current}, the newest release of ${wanted.channel}`
          : `Release ${release.version} is available; the device runs ${current}`,
      );
    } else {
      const version = await updater.update(wanted);
      world.print(
        version === undefined
          ? `The device runs ${current}, the newest release of ${wanted.channel}`
          : `The device runs release ${version}`,
      );
    }
  },
};

async function installationOf(folder: string | undefined): Promise<Installation> {
  if (folder !== undefined) {
    const installation = new Installation(folder);
    if (await installation.exists()) return installation;
    throw new CommandFailed(`${folder} has no device that was installed from a release archive`);
  }
  const installation = await Installation.around(import.meta.dirname);
  if (installation !== undefined) return installation;
  throw new CommandFailed(
    'This device was not installed from a release archive: apt updates a Debian package, git a checkout (docs/operating-a-device.md)',
  );
}

/** The operator's choice, or the one that came with the release. */
async function sourceOf(installation: Installation): Promise<ReleaseSource> {
  const { text, name } = await sourceText(installation);
  if (text === undefined) {
    throw new CommandFailed(
      `This release does not know where releases come from: write address and keys to ${name} (docs/operating-a-device.md)`,
    );
  }
  try {
    return readReleaseSource(text);
  } catch (error) {
    throw new CommandFailed(`${name} cannot be used: ${reasonOf(error)}`);
  }
}

async function sourceText(installation: Installation): Promise<{ text: string | undefined; name: string }> {
  const own = await installation.operatorFile('source.json');
  if (own !== undefined) return { text: own, name: 'update/source.json' };
  return { text: await installation.releaseFile('release-source.json'), name: 'update/source.json' };
}

async function printStatus(installation: Installation, world: World): Promise<void> {
  world.print(`The device runs release ${await installation.current()}`);
  const trial = await installation.trial();
  if (trial !== undefined)
    world.print(`An update from ${trial.from} to ${trial.to} was interrupted: the next one ends it`);
  const records = await installation.records();
  if (records.length === 0) return;
  const rows = records.map(({ at, outcome, from, to, reason }) => [
    at,
    outcome.replace('_', ' '),
    from,
    to,
    printable(reason ?? ''),
  ]);
  const titles = ['TIME', 'OUTCOME', 'FROM', 'TO', 'REASON'];
  for (const line of table(
    titles.map((title) => ({ title })),
    rows,
  ))
    world.print(line);
}

function channelOf(text: string | undefined): ReleaseChannel | undefined {
  if (text === undefined) return undefined;
  const channel = RELEASE_CHANNELS.find((one) => one === text);
  if (channel === undefined)
    throw new UsageError(`There is no channel "${text}": ${RELEASE_CHANNELS.join(', ')}`);
  return channel;
}
