import { join } from 'node:path';
import { staticModules } from '@heliograph/contracts/build/static-modules';
import { type OutputOptions, type RolldownOptions, rolldown } from 'rolldown';

const SOURCE = join(import.meta.dirname, '../src');
const WEB_SOCKET = join(SOURCE, 'stream/web-socket.ts');

/** Optional native parts of `ws`, which goes on without them. */
const NATIVE = ['bufferutil', 'utf-8-validate'];

/** Writes `index.js`, which runs anywhere, and `node.js`, which has a WebSocket for Node 20. */
export async function writeScripts(folder: string): Promise<void> {
  await bundle({ platform: 'neutral' }, { file: join(folder, 'index.js') });
  const ofNode = { [WEB_SOCKET]: join(SOURCE, 'stream/web-socket.node.ts') };
  await bundle(
    { platform: 'node', external: NATIVE, resolve: { alias: ofNode } },
    { file: join(folder, 'node.js') },
  );
}

async function bundle(input: RolldownOptions, output: OutputOptions): Promise<void> {
  const build = await rolldown({
    input: join(SOURCE, 'index.ts'),
    plugins: [staticModules()],
    transform: { target: 'es2022' },
    ...input,
  });
  await build.write({ format: 'es', codeSplitting: false, ...output });
  await build.close();
}
