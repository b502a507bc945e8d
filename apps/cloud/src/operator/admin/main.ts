#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { Env } from '@heliograph/kit';
import { adminConfigFromEnv } from '../../common/config/env.ts';
import { runAdmin } from './admin.ts';
import { readPassword } from './password.ts';

// The reader may close the pipe early, as `| head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runAdmin(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  warn: (line) => process.stderr.write(`${line}\n`),
  // Loaded on demand: help and mistyped commands need none of it.
  async openPlatform(print) {
    const config = adminConfigFromEnv(new Env());
    const { openAdminPlatform } = await import('./platform.ts');
    return openAdminPlatform(config, print);
  },
  readPassword,
  readInput: () => text(process.stdin),
});
