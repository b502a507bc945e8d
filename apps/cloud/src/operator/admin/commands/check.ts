import { messageOf } from '@heliograph/kit';
import { expectArguments, parseArguments } from '@heliograph/kit/terminal';
import { type AdminCommand, CommandFailed } from '../command.ts';
import { record } from '../layout.ts';

/** The longest body that the cloud takes: a backup of a device, in bytes. */
const BODY_BYTES = 16 * 1024 * 1024;

const TIMEOUT_MS = 60_000;

const check: AdminCommand = {
  name: 'check',
  usage: '',
  summary: 'check that the longest bodies pass the reverse proxy at CLOUD_URL',
  help: `Sends 16 MiB, as long as a backup of a device, which the cloud refuses for want of a token: nothing is stored. A reverse proxy
that refuses the length is named, with its setting. One that counts bytes as they come, and not by Content-Length, may let it pass.`,
  async run(args, context) {
    expectArguments(parseArguments(args, {}).positionals, []);
    const platform = await context.openPlatform();
    const cloudUrl = platform.cloudUrl();
    const answer = await post(new URL('/api/v1/uploads?name=check', cloudUrl));
    const server = answer.headers.get('server');
    const by = server === null ? '' : ` (${server})`;
    if (answer.status === 413)
      throw new CommandFailed(
        `${cloudUrl} refuses a body of 16 MiB${by}: attachments of tickets and backups of devices do not pass. ` +
          'Set client_max_body_size to 20m in nginx, or the limit of request bodies of your reverse proxy to 20 MiB',
      );
    if (answer.status !== 401 || !isOurs(await answer.text()))
      throw new CommandFailed(
        `${cloudUrl} is not answered by the cloud: an upload without a token gets ${answer.status}${by}`,
      );
    return record({ url: cloudUrl, bytes: BODY_BYTES, passed: true }, { url: cloudUrl, passes: '16 MiB' });
  },
};

async function post(url: URL): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array(BODY_BYTES),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    const { cause } = error as Error;
    throw new CommandFailed(`${url.origin} cannot be reached: ${messageOf(cause ?? error)}`);
  }
}

/** Errors of the cloud are JSON. */
function isOurs(body: string): boolean {
  try {
    return typeof (JSON.parse(body) as { readonly error?: unknown } | null)?.error === 'string';
  } catch {
    return false;
  }
}

export const checkCommands = [check];
