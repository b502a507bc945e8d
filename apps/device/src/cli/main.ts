#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { runDeviceProgram } from './program.ts';

// The output may be closed early, as with `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runDeviceProgram(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  warn: (line) => process.stderr.write(`${line}\n`),
  readInput: () => text(process.stdin),
  env: process.env,
});
