import { chmod, copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { projectVersion } from '@heliograph/kit';
import { filesOf, foldersOf } from '../deb/folder-entries.ts';
import { tarArchive } from '../deb/tar-archive.ts';
import type { Platform } from '../npm/platform.ts';
import { releaseTimeS } from '../release-time.ts';

/** Files that archives hold beside the device: its installation, and the script that units run. */
const BESIDE = join(import.meta.dirname, '../archive');

const UNIT = 'heliograph-device.service';

/** The unit of the Debian package, and where that has the device. */
const DEBIAN_UNIT = join(import.meta.dirname, '../debian/device/files/usr/lib/systemd/system', UNIT);
const DEBIAN_FOLDER = '/usr/lib/heliograph-device';

/** The folder that `install` installs the device in. */
const INSTALLED = '/opt/heliograph';

const compress = promisify(zstdCompress);
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 12 } };

export interface DeviceArchiveOptions {
  readonly platform: Platform;
  /** The folder of `makeRoot`, which gets the files beside. */
  readonly root: string;
  /** The folder that the archive goes to. */
  readonly out: string;
  /** The server of later releases. */
  readonly url: string;
  /** Keys of later releases, as `releasePublicKey` returns them. */
  readonly publicKeys: readonly string[];
}

/** The name of the archive of a release. */
export function archiveFile(version: string, { architecture }: Platform): string {
  return `heliograph-device_${version}_${architecture}.tar.zst`;
}

/** Makes the archive that devices install. @returns its path */
export async function makeDeviceArchive(options: DeviceArchiveOptions): Promise<string> {
  const { platform, root, out, url, publicKeys } = options;
  await cp(join(BESIDE, 'units'), join(root, 'units'), { recursive: true });
  await writeFile(join(root, 'units', UNIT), await deviceUnit());
  for (const script of ['install', 'before-start']) {
    await copyFile(join(BESIDE, script), join(root, script));
    await chmod(join(root, script), 0o755);
  }
  const source = { url, public_keys: publicKeys };
  await writeFile(join(root, 'release-source.json'), `${JSON.stringify(source, null, 2)}\n`);
  const files = await filesOf(root, '');
  const archive = await tarArchive([...foldersOf(files), ...files], releaseTimeS());
  const path = join(out, archiveFile(projectVersion(), platform));
  await writeFile(path, await compress(archive, COMPRESSION));
  return path;
}

/** The unit of the Debian package for a device that `install` installed. @throws where that unit has another form */
async function deviceUnit(): Promise<string> {
  const lines = (await readFile(DEBIAN_UNIT, 'utf8')).split('\n');
  const start = lines.findIndex((line) => line.startsWith('ExecStart='));
  if (start < 0) throw new Error(`${DEBIAN_UNIT} has no line ExecStart=`);
  return lines
    .with(
      start,
      // They act on the folder of the releases, which belongs to root.
      [
        `ExecStartPre=+${INSTALLED}/before-start`,
        (lines[start] ?? '').replaceAll(DEBIAN_FOLDER, `${INSTALLED}/current`),
        `ExecStartPost=+${INSTALLED}/before-start ready`,
      ].join('\n'),
    )
    .filter((line) => !line.startsWith('Documentation='))
    .join('\n');
}
