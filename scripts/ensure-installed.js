/**
 * Runs before `npm start`, `npm test` and their like, on whatever Node started npm, hence plain JavaScript: installs
 * what package-lock.json names where it is not installed yet. With `--record` (after every install) it notes which
 * lock file was installed.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import './check-machine.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const record = join(root, 'node_modules/.installed-lock');
/** Held by the one that installs: its process id. */
const lock = join(root, '.heliograph-installing');

const wanted = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
const isInstalled = () => existsSync(record) && readFileSync(record, 'utf8') === wanted();

function lockInstall() {
  try {
    writeFileSync(lock, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function isLockHolderAlive() {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function install() {
  for (let waited = false; !lockInstall(); waited = true) {
    if (!isLockHolderAlive()) rmSync(lock, { force: true });
    else if (!waited) console.error('Another command installs the dependencies; waiting for it.');
    await setTimeout(200);
  }
  try {
    if (isInstalled()) return;
    const why = existsSync(join(root, 'node_modules'))
      ? 'node_modules does not match package-lock.json'
      : 'This is the first run here';
    console.error(`${why}: installing the dependencies with npm ci, which takes a minute or so.`);
    execFileSync(process.execPath, [process.env.npm_execpath, 'ci', '--no-audit', '--no-fund'], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    });
  } catch {
    console.error('The dependencies could not be installed: see above. Try npm ci.');
    process.exitCode = 1;
  } finally {
    rmSync(lock, { force: true });
  }
}

if (process.argv.includes('--record')) {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(record, wanted());
} else if (!isInstalled()) {
  await install();
}
