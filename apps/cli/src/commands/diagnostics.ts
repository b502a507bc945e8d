import { basename } from 'node:path';
import { fetchDiagnostics } from '@heliograph/client';
import { parseArguments } from '@heliograph/kit/terminal';
import { DEVICE_OPTIONS, DEVICE_OPTIONS_HELP } from '../target/device-options.ts';
import { openTarget } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';
import { saveFile } from '../terminal/save-file.ts';

export const diagnostics: Command = {
  name: 'diagnostics',
  summary: 'save a diagnostic bundle of a device, for support',
  help: `heliograph diagnostics SITE [--frames] [--output FILE]
heliograph diagnostics --device HOST[:PORT] [--frames] [--output FILE]

Saves a diagnostic bundle of the device of a site as a ZIP file, for those who may change settings. Passwords, tokens and
serial numbers are not in it; its README.txt lists what else is left out. The file is sent nowhere.

  --frames              add the last requests to the hardware and its answers, byte by byte
  -o, --output FILE     save it here, where no file is yet (default: the name that the device gives it)
${DEVICE_OPTIONS_HELP}`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, {
      frames: { type: 'boolean', default: false },
      output: { type: 'string', short: 'o' },
      ...DEVICE_OPTIONS,
    });
    const { device } = await openTarget(values, positionals, []);
    const bundle = await fetchDiagnostics(device, { frames: values.frames });
    // A device chooses no folder on this machine.
    const path = values.output ?? basename(bundle.name);
    await saveFile(path, bundle);
    terminal.print(path);
    return 0;
  },
};
