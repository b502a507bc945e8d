import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { DeviceRestored, DeviceSession } from '@heliograph/contracts';
import { RESTORE_PART_BYTES } from '@heliograph/contracts';
import { messageOf, silentLogger, systemClock } from '@heliograph/kit';
import { expectArguments, parseArguments } from '@heliograph/kit/terminal';
import { DEVICE_ACTOR } from '../../access/audit/audit.ts';
import { readConfigFile } from '../../config/read-config-file.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { DatabaseInUse, openDatabase } from '../../storage/database.ts';
import { downloadBackup } from '../backup/cloud-calls.ts';
import { installRestored } from '../backup/install-restored.ts';
import { canonicalCode } from '../backup/recovery-code.ts';
import { stageRestore } from '../backup/stage-restore.ts';
import { asOwnerOf, isWritable } from './as-owner.ts';
import { CommandFailed, type DeviceCommand, type World } from './command.ts';
import {
  callDevice,
  DATA_HELP,
  DATA_OPTIONS,
  type LocalDevice,
  localDevice,
  passwordHeader,
  secretOf,
} from './device-data.ts';

const LOCK_TIMEOUT_MS = 200;

export const restoreCommand: DeviceCommand = {
  name: 'restore',
  summary: 'turn this computer into the device of a backup',
  help: `heliograph device restore [OPTIONS] FILE
heliograph device restore [OPTIONS] --from-cloud

Turns the device on this computer, running or not, into the one of the backup: with its identity, password, configuration
and history. All of the backup is checked before; the present data is set aside in a folder "before-restore-…".
A device that has a password already, and is running, wants it.

${DATA_HELP}
  --from-cloud   the newest backup in the cloud, by its recovery code, in place of a file and its passphrase
  --cloud URL    the cloud (default: CLOUD_URL, or cloud_url of the configuration)

The passphrase is asked for, or is the variable BACKUP_PASSPHRASE; the recovery code RECOVERY_CODE, the password
DEVICE_PASSWORD.`,

  async run(args, world) {
    const { values, positionals } = parseArguments(args, {
      ...DATA_OPTIONS,
      'from-cloud': { type: 'boolean', default: false },
      cloud: { type: 'string' },
    });
    const isFromCloud = values['from-cloud'];
    expectArguments(positionals, isFromCloud ? [] : ['file']);
    const [file = ''] = positionals;
    await using backup = isFromCloud ? undefined : await openBackup(file);
    const device = localDevice(values, world);
    const { restored, isRunning } = await asOwnerOf(device.dataFolder, async () => {
      const isRunning = isInUse(device);
      const source: RestoreSource =
        backup === undefined
          ? { code: await secretOf(world, 'RECOVERY_CODE', 'Recovery code: ') }
          : { backup, passphrase: await secretOf(world, 'BACKUP_PASSPHRASE', 'Passphrase of the backup: ') };
      const restored = isRunning
        ? await restoreRunning(device, source, world)
        : await restoreHere(device, source, values.cloud ?? world.env.CLOUD_URL);
      return { restored, isRunning };
    });
    const { uid, site_name: name, made_at: madeAt, history, configuration_problem: problem } = restored;
    world.print(`This computer is the device ${uid}${name === null ? '' : ` of ${name}`} as of ${madeAt}`);
    if (!history) world.print('The backup has no history');
    if (problem !== null) {
      world.warn(
        'The configuration of the backup cannot be used here, and is beside the present one as .restored:',
      );
      for (const line of problem.split('\n')) world.warn(`  ${line}`);
    }
    if (!isRunning) world.print('Start the device now');
  },
};

/** Opened before root takes the rights of the device's account, which may not read it. @throws CommandFailed */
async function openBackup(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r');
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read: ${messageOf(error)}`);
  }
}

/** A store that cannot be opened for any other reason is what a restore is for. */
function isInUse({ dataFolder, hasStore }: LocalDevice): boolean {
  if (!hasStore) return false;
  try {
    openDatabase(dataFolder, LOCK_TIMEOUT_MS).close();
    return false;
  } catch (error) {
    return error instanceof DatabaseInUse;
  }
}

type RestoreSource = { readonly backup: FileHandle; readonly passphrase: string } | { readonly code: string };

/** @param cloudUrl undefined: the one that the configuration names */
async function restoreHere(
  { dataFolder, configFile }: LocalDevice,
  source: RestoreSource,
  cloudUrl: string | undefined,
): Promise<DeviceRestored> {
  const clock = systemClock;
  // Data without its configuration would be half a device.
  if (!isWritable(configFile))
    throw new CommandFailed(`The owner of ${dataFolder} may not write ${configFile}`);
  try {
    const isFile = 'backup' in source;
    const content = isFile
      ? source.backup.createReadStream()
      : Readable.from([await downloadBackup(cloudUrl ?? (await configuredCloud(configFile)), source.code)]);
    const passphrase = isFile ? source.passphrase : canonicalCode(source.code);
    const options = { dataFolder, passphrase, author: DEVICE_ACTOR, clock };
    const restored = await stageRestore(content, options);
    installRestored({ dataFolder, configFile, clock, logger: silentLogger });
    return {
      uid: restored.uid,
      site_name: restored.siteName,
      made_at: restored.madeAt,
      history: restored.hasHistory,
      configuration_problem: restored.configurationProblem,
    };
  } catch (error) {
    throw new CommandFailed(messageOf(error));
  }
}

/** @throws CommandFailed when it names none */
async function configuredCloud(configFile: string): Promise<string> {
  const { cloudUrl } = readConfigFile(configFile, await loadFamilies({ configFile }));
  if (cloudUrl === undefined) throw new CommandFailed('Which cloud? Type its address with --cloud');
  return cloudUrl;
}

/** @throws CommandFailed */
async function restoreRunning(
  { url }: LocalDevice,
  source: RestoreSource,
  world: World,
): Promise<DeviceRestored> {
  const session = (await (await callDevice(url, '/api/v1/session', {})).json()) as DeviceSession;
  const password = session.has_password
    ? await secretOf(world, 'DEVICE_PASSWORD', 'Password of the device: ')
    : undefined;
  const headers: Record<string, string> =
    password === undefined ? {} : { authorization: passwordHeader(password) };
  if ('backup' in source) await upload(url, source.backup, headers);
  const answer = await callDevice(url, '/api/v1/restore', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...('backup' in source ? { passphrase: source.passphrase } : { recovery_code: source.code }),
      ...(password === undefined ? {} : { password }),
    }),
  });
  return (await answer.json()) as DeviceRestored;
}

async function upload(
  url: string,
  backup: FileHandle,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  let offset = 0;
  for await (const part of backup.createReadStream({ highWaterMark: RESTORE_PART_BYTES })) {
    await callDevice(url, `/api/v1/restore?offset=${offset}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: part as Uint8Array<ArrayBuffer>,
    });
    offset += (part as Uint8Array).byteLength;
  }
}
