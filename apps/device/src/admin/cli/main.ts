#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { Questions } from '@heliograph/kit/terminal';
import { runDeviceProgram } from './program.ts';

// The output may be closed early, as with `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

/** One for the whole run: a second reader of the input would miss what the first has read ahead. */
let questions: Questions | undefined;

process.exitCode = await runDeviceProgram(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  warn: (line) => process.stderr.write(`${line}\n`),
  readInput: () => text(process.stdin),
  readSecret: (question) => {
    questions ??= new Questions({ isSecret: true });
    return questions.answerTo(question);
  },
  env: process.env,
});
questions?.[Symbol.dispose]();
