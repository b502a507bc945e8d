import { describe, expect, it } from 'vitest';
import { runCommand } from '../test/run-command.ts';
import { runCli } from './cli.ts';

/** Runs the command line within this process: typed wrongly, it starts nothing. */
async function typed(args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await runCli(args, {
    closed: new AbortController().signal,
    print: (text) => {
      out += text;
    },
    warn: (text) => {
      err += text;
    },
    bold: (text) => text,
  });
  return { code, out, err };
}

describe('heliograph', () => {
  it.each([
    [['--help'], 'heliograph COMMAND'],
    [['sites', '--help'], 'heliograph sites [QUERY...]'],
    [['metrics', '-h'], 'heliograph metrics SITE'],
    [['set', 'demo', '--help'], 'heliograph set SITE TOPIC VALUE'],
    [['log', '--help'], 'heliograph log SITE'],
    [['diagnostics', '--help'], 'heliograph diagnostics SITE'],
    [['members', '--help'], 'heliograph members SITE'],
    [['invite', '--help'], 'heliograph invite SITE EMAIL'],
    [['register', '--help'], 'heliograph register UID'],
    [['release', '--help'], 'heliograph release SITE'],
    [['export', '--help'], 'heliograph export [SITE]'],
    [['start', '--help'], 'heliograph start'],
    [['--version'], '0.'],
  ])('%j explains itself', async (args, start) => {
    const { code, out, err } = await typed(args);
    expect({ code, err, start: out.slice(0, start.length) }).toEqual({ code: 0, err: '', start });
  });

  it.each([
    [['fly'], 'There is no command "fly" (see "heliograph --help")'],
    [['--fly'], 'There is no option "--fly" (see "heliograph --help")'],
    [['sites', '--fly'], `Unknown option '--fly' (see "heliograph sites --help")`],
    [
      ['sites', '--limit', '0'],
      '--limit must be a whole number from 1 to 200 (see "heliograph sites --help")',
    ],
    [['metrics'], '<site> is missing (see "heliograph metrics --help")'],
    [['metrics', 'a', 'b'], '"b" is one argument too many (see "heliograph metrics --help")'],
    [
      ['metrics', 'demo', '-t'],
      `Option '-t, --topic <value>' argument missing (see "heliograph metrics --help")`,
    ],
    [['set', 'demo', 'topic'], '<value> is missing (see "heliograph set --help")'],
    [
      ['set', '--device', 'h', 'topic', '1', '2'],
      '"2" is one argument too many (see "heliograph set --help")',
    ],
    [['log'], '<site> is missing (see "heliograph log --help")'],
    [
      ['log', 'demo', '--limit', '201'],
      '--limit must be a whole number from 1 to 200 (see "heliograph log --help")',
    ],
    [['log', 'demo', '--before', 'x'], '--before must be a whole number (see "heliograph log --help")'],
    [['invite', 'demo'], '<email> is missing (see "heliograph invite --help")'],
    [
      ['invite', 'demo', 'a@example.org', '--role', 'king'],
      '--role must be one of member, admin, owner (see "heliograph invite --help")',
    ],
    [['release'], '<site> is missing (see "heliograph release --help")'],
    [['export', '--id', 'x'], '--id must be a whole number (see "heliograph export --help")'],
    [['export', '--json'], '--json is for --list (see "heliograph export --help")'],
    [
      ['export', '--list', '-o', 'x.zip'],
      '--list lists archives, and saves none (see "heliograph export --help")',
    ],
    [['export', 'demo', '--list'], '"demo" is one argument too many (see "heliograph export --help")'],
    [['export', 'a', 'b'], '"b" is one argument too many (see "heliograph export --help")'],
    [['start', 'now'], '"now" is one argument too many (see "heliograph start --help")'],
  ])('%j is refused in one line, with exit code 2', async (args, line) => {
    expect(await typed(args)).toEqual({ code: 2, out: '', err: `heliograph: ${line}` });
  });

  it('output goes to the right stream, with the right exit code', async () => {
    expect(await runCommand(['--version'])).toMatchObject({ code: 0, stderr: '' });
    expect(await runCommand(['fly'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('a command without a configured cloud names the variables to set', async () => {
    const { code, stderr } = await runCommand(['sites']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^heliograph: No cloud is known: .*HELIOGRAPH_URL and HELIOGRAPH_TOKEN\n$/);
  });
});
