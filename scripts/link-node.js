/**
 * Runs after `npm ci` on whatever Node started npm, hence plain JavaScript: puts the installed Node 24 where npm
 * looks for a script's commands first. npm 11 has done so by then. npm 10 has linked it and then, on clearing
 * away the packages of other platforms, has removed the link again, since they all bring a command `node`.
 */
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const link = join(modules, '.bin/node');
const packages = ['linux-x64', 'linux-arm64', 'darwin-x64', 'bin-darwin-arm64', 'win-x64'];
const installed = packages.map((name) => `node-${name}`).find((name) => existsSync(join(modules, name)));

if (installed !== undefined && process.platform === 'win32') {
  if (!existsSync(`${link}.cmd`))
    writeFileSync(`${link}.cmd`, `@"%~dp0..\\${installed}\\bin\\node.exe" %*\r\n`);
} else if (installed !== undefined && !existsSync(link)) {
  // What is there leads nowhere.
  rmSync(link, { force: true });
  symlinkSync(join('..', installed, 'bin/node'), link);
}
