import { type ClientRequest, isHttp2 } from '../http/client.ts';
import { knownRefusal, type Refusal } from '../http/refuse.ts';

/** Header fields of one request; devices take no more on a stream of theirs. */
const MAX_FIELDS = 100;
/** Overhead of a header in HTTP/2 besides its name and value, in bytes (RFC 9113 section 6.5.2). */
const FIELD_OVERHEAD_BYTES = 32;

const HEAD_TOO_LONG = knownRefusal({ status: 431, error: 'The head of the request is too long' });
const NO_HOST = knownRefusal({ status: 400, error: 'The request has no Host header' });
const SEVERAL_HOSTS = knownRefusal({ status: 400, error: 'The request has more than one Host header' });
const TOO_OLD = knownRefusal({ status: 400, error: 'HTTP before 1.0 is not spoken here' });
const NO_PATH = knownRefusal({ status: 400, error: 'The target of the request is not a path' });

/**
 * Finds the fault of a request that Node's parsers accept. A target with scheme and host, which
 * clients write to a proxy of their own, becomes the path and the host that it stands for (RFC 9112 section 3.2.2).
 *
 * @param headBytes the longest head; only heads of HTTP/2 are measured here
 */
export function findRequestFault(req: ClientRequest, headBytes: number): Refusal | undefined {
  const { rawHeaders } = req;
  if (rawHeaders.length > 2 * MAX_FIELDS) return HEAD_TOO_LONG;
  if (isHttp2(req)) {
    if (headLength(rawHeaders) > headBytes) return HEAD_TOO_LONG;
  } else {
    if (req.httpVersionMajor === 0) return TOO_OLD;
    const hosts = countHosts(rawHeaders);
    if (hosts > 1) return SEVERAL_HOSTS;
    if (hosts === 0 && req.httpVersionMinor > 0) return NO_HOST;
    if (!req.url?.startsWith('/')) toPath(req);
  }
  return req.url?.startsWith('/') ? undefined : NO_PATH;
}

function headLength(raw: readonly string[]): number {
  let bytes = (raw.length / 2) * FIELD_OVERHEAD_BYTES;
  for (const text of raw) bytes += text.length;
  return bytes;
}

/** Node silently keeps the first of two hosts (RFC 9112 section 3.2 requires 400). */
function countHosts(raw: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

function toPath(req: ClientRequest): void {
  const [, host, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(req.url ?? '') ?? [];
  if (host === undefined) return;
  req.headers.host = host;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
}
