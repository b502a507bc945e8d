import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { inPieces } from '@heliograph/dev/in-pieces';
import { generateReleaseKey, type ReleaseManifest, signManifest } from '@heliograph/wire/release-manifest';

/** How the program of a release behaves once it is installed. */
export type Behaviour = 'works' | 'ends' | 'hangs' | 'does not run';

const BODIES: Readonly<Record<Behaviour, string>> = {
  works:
    "createServer((_, response) => response.end(VERSION)).listen(Number(process.env.DEVICE_PORT), '127.0.0.1');",
  ends: 'process.exitCode = 1;',
  hangs: 'setInterval(() => {}, 1000);',
  'does not run': '',
};

/** Writes a release with a program that serves its version, as small as a test needs it. */
export async function writeRelease(
  folder: string,
  version: string,
  behaviour: Behaviour = 'works',
): Promise<void> {
  const program = join(folder, 'apps/device/src/main.js');
  await mkdir(join(folder, 'apps/device/src'), { recursive: true });
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', version }));
  const node =
    behaviour === 'does not run' ? '#!/bin/sh\nexit 127\n' : `#!/bin/sh\nexec '${process.execPath}' "$@"\n`;
  await writeFile(join(folder, 'bin/node'), node);
  await chmod(join(folder, 'bin/node'), 0o755);
  await writeFile(
    program,
    `import { createServer } from 'node:http';
const VERSION = '${version}';
if (process.argv[2] === '--version') console.log(VERSION);
else { ${BODIES[behaviour]} }
`,
  );
}

/** A folder of releases, and the web server that serves it. */
export class ReleaseFolder implements AsyncDisposable {
  readonly key = generateReleaseKey();
  readonly #folder: string;
  readonly #server = createServer((request, response) => {
    const name = (request.url ?? '/').slice(1);
    readFile(join(this.#folder, name)).then(
      (content) => {
        const isCut = name === this.cutsOff;
        response.writeHead(200, { 'content-length': content.length });
        response.write(isCut ? content.subarray(0, content.length / 2) : content, () =>
          isCut ? response.destroy() : response.end(),
        );
      },
      () => response.writeHead(404).end(),
    );
  });
  /** The file whose download breaks off. */
  cutsOff: string | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async start(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await new Promise<void>((resolve) => inPieces(this.#server).listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return `http://127.0.0.1:${address.port}/`;
  }

  /** Makes and signs a release of the channel `stable`, which becomes the offered one. @returns the name of its archive */
  async publish(
    version: string,
    { behaviour = 'works', contains = version, change = {}, key = this.key.privateKey }: Publication = {},
  ): Promise<string> {
    const root = join(this.#folder, `root-${version}-${behaviour}-${contains}`);
    await writeRelease(root, contains, behaviour);
    const file = `heliograph-device_${version}_test.tar.zst`;
    const archive = zstdCompressSync(execFileSync('tar', ['-c', '-C', root, '.']));
    await writeFile(join(this.#folder, file), archive);
    const archives = {
      [process.arch]: {
        file,
        sizeBytes: archive.length,
        unpackedBytes: (await stat(join(root, 'package.json'))).size + 1000,
        sha256: createHash('sha256').update(archive).digest('hex'),
      },
    };
    await this.offer(version, { archives, ...change }, key);
    return file;
  }

  /** Makes a release the offered one of its channel, which is `stable`, without making its archive. */
  async offer(
    version: string,
    change: Partial<ReleaseManifest> = {},
    key = this.key.privateKey,
  ): Promise<void> {
    const manifest: ReleaseManifest = {
      format: 1,
      channel: 'stable',
      version,
      minimumVersion: '0.1.0',
      percentage: 100,
      issuedAt: '2026-11-26T00:00:00Z',
      expiresAt: '2027-02-26T00:00:00Z',
      archives: {},
      ...change,
    };
    await writeFile(join(this.#folder, `${manifest.channel}.json`), signManifest(manifest, [key]));
  }

  async damage(file: string): Promise<void> {
    const content = await readFile(join(this.#folder, file));
    content[content.length - 1] = (content.at(-1) ?? 0) ^ 1;
    await writeFile(join(this.#folder, file), content);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export interface Publication {
  readonly behaviour?: Behaviour;
  /** The version that the archive has in truth. */
  readonly contains?: string;
  readonly change?: Partial<ReleaseManifest>;
  readonly key?: string;
}
