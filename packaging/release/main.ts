/** `npm run release`: makes the archives of a release of the device, signs what channels offer, and makes keys. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isVersion, messageOf, projectVersion, RELEASE_CHANNELS, type ReleaseChannel } from '@heliograph/kit';
import { ensurePagesAreBuilt } from '@heliograph/web/build';
import { generateReleaseKey, releasePublicKey } from '@heliograph/wire/release-manifest';
import { CHECKOUT } from '../checkout.ts';
import { makeRoot } from '../make-root.ts';
import { PLATFORMS } from '../npm/platform.ts';
import { PARTS } from '../parts.ts';
import { makeDeviceArchive } from './device-archive.ts';
import { offerRelease } from './offer-release.ts';
import { requireTranslations } from './require-translations.ts';

const HELP = `npm run release -- COMMAND [OPTIONS]

Makes releases of the device that "heliograph device update" installs, in a folder that any web server can serve.

  key FILE   makes the key that signs releases, and prints its public half
  make       makes the archives of this checkout's version
  offer      signs what a channel offers: which release, to how many devices

  --key FILE           signs with this key; twice while devices move from one key to another
  --url URL            make: where the folder will be served, which devices remember
  --arch ARCHITECTURE  make: amd64 or arm64 (both)
  --channel CHANNEL    offer: ${RELEASE_CHANNELS.join(' or ')} (stable)
  --release VERSION    offer: the release (this checkout's version)
  --percentage N       offer: how many of a hundred devices that update by themselves take it (100)
  --minimum VERSION    offer: older devices need a release in between (0.1.0)
  --days N             offer: how long devices install it; sign again before it expires (90)
  --out FOLDER         where releases go (dist/releases)`;

/** Private keys are for their owner alone. */
const PRIVATE = 0o600;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    key: { type: 'string', multiple: true, default: [] },
    url: { type: 'string' },
    arch: { type: 'string' },
    channel: { type: 'string', default: 'stable' },
    release: { type: 'string', default: projectVersion() },
    percentage: { type: 'string', default: '100' },
    minimum: { type: 'string', default: '0.1.0' },
    days: { type: 'string', default: '90' },
    out: { type: 'string', default: join('dist', 'releases') },
    help: { type: 'boolean' },
  },
});

const [command, file] = positionals;
const out = resolve(CHECKOUT, values.out);
try {
  if (values.help || command === undefined) console.log(HELP);
  else if (command === 'key') await makeKey(file);
  else if (command === 'make') await make();
  else if (command === 'offer') await offer();
  else throw new Error(`there is no command "${command}": npm run release -- --help`);
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

async function makeKey(path: string | undefined): Promise<void> {
  if (path === undefined) throw new Error('key: name the file that the key goes to');
  const { privateKey, publicKey } = generateReleaseKey();
  await writeFile(path, privateKey, { flag: 'wx', mode: PRIVATE });
  console.log(
    `The key is in ${path}: keep it apart from the server of releases. Its public half is ${publicKey}`,
  );
}

async function make(): Promise<void> {
  const { url } = values;
  if (url === undefined || !/^https?:\/\/[^\s?#@]+$/.test(url)) {
    throw new Error(
      'make: --url must be the address of the folder, such as https://releases.example.org/heliograph/',
    );
  }
  requireTranslations();
  const publicKeys = (await privateKeys()).map(releasePublicKey);
  const platforms = PLATFORMS.filter(({ architecture }) => (values.arch ?? architecture) === architecture);
  if (platforms.length === 0) throw new Error(`make: Node is not built for ${values.arch}`);
  await ensurePagesAreBuilt('smallest');
  await mkdir(out, { recursive: true });
  for (const platform of platforms) {
    const root = join(out, `.heliograph-device_${platform.architecture}`);
    try {
      await makeRoot(PARTS.device, platform, root);
      console.log(await makeDeviceArchive({ platform, root, out, url, publicKeys }));
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  }
}

async function offer(): Promise<void> {
  const { release: version, minimum: minimumVersion } = values;
  for (const text of [version, minimumVersion]) {
    if (!isVersion(text)) throw new Error(`offer: "${text}" is no version such as 1.2.3`);
  }
  const path = await offerRelease({
    folder: out,
    version,
    channel: channelOf(values.channel),
    percentage: wholeNumber('percentage', values.percentage, 0, 100),
    minimumVersion,
    days: wholeNumber('days', values.days, 1, 3650),
    now: new Date(),
    privateKeys: await privateKeys(),
  });
  console.log(path);
}

async function privateKeys(): Promise<readonly string[]> {
  if (values.key.length === 0) throw new Error('--key names the file of the key that signs releases');
  return Promise.all(values.key.map((path) => readFile(path, 'utf8')));
}

function channelOf(text: string): ReleaseChannel {
  const channel = RELEASE_CHANNELS.find((one) => one === text);
  if (channel === undefined) throw new Error(`there is no channel "${text}"`);
  return channel;
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new Error(`--${name} must be a whole number from ${min} to ${max}, not "${text}"`);
  }
  return value;
}
