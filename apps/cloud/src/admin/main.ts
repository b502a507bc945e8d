#!/usr/bin/env node
import { Env } from '@heliograph/kit';
import { adminConfigFromEnv } from '../config/env.ts';
import { runAdmin } from './admin.ts';
import { readPassword } from './password.ts';

// Whoever reads the output may have seen enough, as with `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runAdmin(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  warn: (line) => process.stderr.write(`${line}\n`),
  // Loaded only now: help and words typed wrongly need none of it.
  async openOffice(tell) {
    const config = adminConfigFromEnv(new Env());
    const { openOffice } = await import('./office.ts');
    return openOffice(config, tell);
  },
  readPassword,
});
