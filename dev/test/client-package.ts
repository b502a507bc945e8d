import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunFile } from '../src/index.ts';
import { readPage } from './shell.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The README of the package. */
const README = 'packages/client/README.md';

/** An example of the README: its text, which names its file in the first line. */
export interface Example {
  readonly file: string;
  readonly text: string;
}

export function examplesOf(language: 'js' | 'html'): readonly Example[] {
  const blocks = readPage(README).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'));
  return [...blocks].map(([, text = '']) => {
    const [, file] = /^(?:\/\/|<!--) (\S+\.(?:mjs|html))/.exec(text) ?? [];
    if (file === undefined) throw new Error(`An example has no file name: ${text}`);
    return { file, text };
  });
}

/** The environment that the README asks for. */
export function environmentOf({ cloud, account, device }: RunFile): Readonly<Record<string, string>> {
  return {
    HELIOGRAPH_URL: cloud.url,
    HELIOGRAPH_EMAIL: account.email,
    HELIOGRAPH_ACCOUNT_PASSWORD: account.password,
    HELIOGRAPH_TOKEN: account.api_token,
    HELIOGRAPH_DEVICE: new URL(device.url).host,
    HELIOGRAPH_PASSWORD: device.password,
  };
}

/** An empty folder into which the packed client was installed, and nothing else. */
export class Installation implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Installation> {
    const installation = new Installation(
      await realpath(await mkdtemp(join(tmpdir(), 'heliograph-client-'))),
    );
    const { folder } = installation;
    await npm(['run', 'build', '--workspace', '@heliograph/client'], ROOT);
    const { stdout } = await npm(['pack', '--json', join(ROOT, 'packages/client/dist')], folder);
    const [{ filename }]: [{ filename: string }] = JSON.parse(stdout);
    await npm(['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], folder);
    for (const { file, text } of [...examplesOf('js'), ...examplesOf('html')]) {
      await writeFile(join(folder, file), text);
    }
    return installation;
  }

  /** @returns what an example prints */
  async runExample(file: string, env: Readonly<Record<string, string>>): Promise<string> {
    const { PATH = '' } = process.env;
    const { stdout } = await run(process.execPath, [file], { cwd: this.folder, env: { PATH, ...env } });
    return stdout;
  }

  /** Checks files as a user's compiler does, with the named packages of types alone. @throws with its output */
  async checkTypes(files: readonly string[], types: readonly string[]): Promise<void> {
    // Several checkers of one compiler repeat each other's work.
    const options = [
      '--noEmit',
      '--checkers',
      '1',
      '--strict',
      '--allowJs',
      '--checkJs',
      '--skipLibCheck',
      'false',
    ];
    const target = ['--target', 'es2022', '--module', 'nodenext', '--lib', 'es2024,dom'];
    const given = types.length === 0 ? ['--types', ''] : ['--types', types.join(',')];
    const roots = ['--typeRoots', join(ROOT, 'node_modules/@types')];
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    await run(tsc, [...options, ...target, ...given, ...roots, '--ignoreConfig', ...files], {
      cwd: this.folder,
    }).catch(({ stdout }: { stdout: string }) => Promise.reject(new Error(stdout)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function npm(args: readonly string[], cwd: string): Promise<{ stdout: string }> {
  // npm's own settings for the running script would apply to the other folder, too.
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return await run('npm', args, { cwd, env: Object.fromEntries(own) });
}

/** Bundles the `index.html` of a folder into its `dist`. */
export async function runVite(folder: string): Promise<void> {
  await run(join(ROOT, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn'], { cwd: folder });
}
