import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip, zstdCompress } from 'node:zlib';
import type { Platform } from '../npm/platform.ts';
import type { Part } from '../parts.ts';
import { releaseTimeS } from '../release-time.ts';
import { arArchive } from './ar-archive.ts';
import { filesOf, foldersOf } from './folder-entries.ts';
import { type ArchiveEntry, tarArchive } from './tar-archive.ts';

/** Debian 12, Ubuntu 22.04 and later unpack Zstandard. */
const compress = promisify(zstdCompress);
const COMPRESSION_LEVEL = 12;

/** Units, maintainer scripts and commands that packages hold beside the parts. */
const DEBIAN = join(import.meta.dirname, '../debian');
/** Dashboards and alert rules, which packages hold as documentation. */
const MONITORING = join(import.meta.dirname, '../monitoring');

export interface DebianPackageOptions {
  readonly part: Part;
  readonly platform: Platform;
  /** The folder of `makeRoot`. */
  readonly root: string;
  /** The folder that the package goes to. */
  readonly out: string;
  /** Of Zstandard, 1 to 22; 12 when left out. */
  readonly compressionLevel?: number;
}

/** @returns path of the package */
export async function makeDebianPackage({
  part,
  platform,
  root,
  out,
  compressionLevel = COMPRESSION_LEVEL,
}: DebianPackageOptions): Promise<string> {
  const name = `heliograph-${part.name}`;
  const version = await versionOf(root);
  const data = [
    ...(await filesOf(root, `usr/lib/${name}`)),
    ...(await filesOf(join(DEBIAN, part.name, 'files'), '')),
    copyrightFile(name),
    ...(await monitoringFiles(part, `usr/share/doc/${name}/monitoring`)),
  ];
  const modifiedS = releaseTimeS();
  const control = [
    ...(await maintainerScripts(part)),
    fileEntry('control', controlFile({ part, platform, name, version, installedBytes: bytesOf(data) })),
    fileEntry('md5sums', checksums(data)),
  ];
  const dataArchive = await tarArchive([...foldersOf(data), ...data], modifiedS);
  const params = { [constants.ZSTD_c_compressionLevel]: compressionLevel };
  const archive = arArchive(
    [
      { name: 'debian-binary', content: Buffer.from('2.0\n') },
      { name: 'control.tar.gz', content: await promisify(gzip)(await tarArchive(control, modifiedS)) },
      { name: 'data.tar.zst', content: await compress(dataArchive, { params }) },
    ],
    modifiedS,
  );
  const path = join(out, `${name}_${version}_${platform.architecture}.deb`);
  await writeFile(path, archive);
  return path;
}

async function versionOf(root: string): Promise<string> {
  const { version }: { readonly version: string } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  return version;
}

interface ControlFacts {
  readonly part: Part;
  readonly platform: Platform;
  readonly name: string;
  readonly version: string;
  readonly installedBytes: number;
}

function controlFile({ part, platform, name, version, installedBytes }: ControlFacts): string {
  return `Package: ${name}
Version: ${version}
Architecture: ${platform.architecture}
Maintainer: Heliograph <packages@heliograph.example>
Installed-Size: ${Math.ceil(installedBytes / 1024)}
Depends: libc6 (>= 2.28), libstdc++6, adduser
Section: net
Priority: optional
Description: Heliograph ${part.name}
 ${part.summary.charAt(0).toUpperCase()}${part.summary.slice(1)}.
`;
}

function copyrightFile(name: string): ArchiveEntry {
  const text = `Heliograph is under the Apache License 2.0: /usr/share/common-licenses/Apache-2.0
The licences of the software that it contains are in /usr/lib/${name}/LICENSES.txt.
`;
  return fileEntry(`usr/share/doc/${name}/copyright`, text);
}

async function monitoringFiles({ name }: Part, folder: string): Promise<readonly ArchiveEntry[]> {
  const files = ['alerts.yaml', 'prometheus.yaml', `dashboards/${name}.json`];
  return Promise.all(
    files.map(async (file) => fileEntry(join(folder, file), await readFile(join(MONITORING, file), 'utf8'))),
  );
}

function fileEntry(path: string, content: string, mode = 0o644): ArchiveEntry {
  return { type: 'file', path, content: Buffer.from(content), mode };
}

async function maintainerScripts({ name }: Part): Promise<readonly ArchiveEntry[]> {
  const folder = join(DEBIAN, name);
  const scripts = (await readdir(folder)).filter((file) => /^(?:pre|post)(?:inst|rm)$/.test(file));
  return Promise.all(
    scripts.map(async (script) => fileEntry(script, await readFile(join(folder, script), 'utf8'), 0o755)),
  );
}

function bytesOf(entries: readonly ArchiveEntry[]): number {
  return entries.reduce((total, entry) => total + (entry.type === 'file' ? entry.content.length : 0), 0);
}

/** Which files `dpkg --verify` finds changed. */
function checksums(entries: readonly ArchiveEntry[]): string {
  return entries
    .flatMap((entry) =>
      entry.type === 'file'
        ? [`${createHash('md5').update(entry.content).digest('hex')}  ${entry.path}\n`]
        : [],
    )
    .join('');
}
