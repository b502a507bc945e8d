#!/usr/bin/env node
import { runCli } from './cli.ts';
import { Terminal } from './terminal/terminal.ts';

process.exitCode = await runCli(process.argv.slice(2), new Terminal());
