import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { DeviceRestored, DeviceSession } from '@heliograph/contracts';
import { RESTORE_PART_BYTES } from '@heliograph/contracts';
import { messageOf, silentLogger, systemClock } from '@heliograph/kit';
import { expectArguments, parseArguments } from '@heliograph/kit/terminal';
import { DEVICE_ACTOR } from '../audit/audit.ts';
import { installRestored } from '../backup/install-restored.ts';
import { stageRestore } from '../backup/stage-restore.ts';
import { DatabaseInUse, openDatabase } from '../storage/database.ts';
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

Turns the device on this computer, running or not, into the one of the backup: with its identity, password, configuration
and history. All of the backup is checked before; the present data is set aside in a folder "before-restore-…".
A device that has a password already, and is running, wants it.

${DATA_HELP}

The passphrase is asked for, or is the variable BACKUP_PASSPHRASE; the password DEVICE_PASSWORD.`,

  async run(args, world) {
    const { values, positionals } = parseArguments(args, DATA_OPTIONS);
    expectArguments(positionals, ['file']);
    const [file = ''] = positionals;
    await requireReadable(file);
    const device = localDevice(values, world);
    const isRunning = isInUse(device);
    const passphrase = await secretOf(world, 'BACKUP_PASSPHRASE', 'Passphrase of the backup: ');
    const restored = isRunning
      ? await restoreRunning(device, file, passphrase, world)
      : await restoreHere(device, file, passphrase);
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

async function requireReadable(file: string): Promise<void> {
  try {
    await (await open(file, 'r')).close();
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

async function restoreHere(
  { dataFolder, configFile }: LocalDevice,
  file: string,
  passphrase: string,
): Promise<DeviceRestored> {
  const clock = systemClock;
  try {
    const options = { dataFolder, passphrase, author: DEVICE_ACTOR, clock };
    const restored = await stageRestore(createReadStream(file), options);
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

/** @throws CommandFailed */
async function restoreRunning(
  { url }: LocalDevice,
  file: string,
  passphrase: string,
  world: World,
): Promise<DeviceRestored> {
  const session = (await (await callDevice(url, '/api/v1/session', {})).json()) as DeviceSession;
  const password = session.has_password
    ? await secretOf(world, 'DEVICE_PASSWORD', 'Password of the device: ')
    : undefined;
  const headers = password === undefined ? {} : { authorization: passwordHeader(password) };
  let offset = 0;
  for await (const part of createReadStream(file, { highWaterMark: RESTORE_PART_BYTES })) {
    await callDevice(url, `/api/v1/restore?offset=${offset}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: part as Uint8Array<ArrayBuffer>,
    });
    offset += (part as Uint8Array).byteLength;
  }
  const answer = await callDevice(url, '/api/v1/restore', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ passphrase, ...(password === undefined ? {} : { password }) }),
  });
  return (await answer.json()) as DeviceRestored;
}
