import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2';
import { hasBody } from '../http/body.ts';
import { type Refusal, refuse } from '../http/refuse.ts';
import type { DeviceSession } from '../sessions/device-session.ts';
import { clientAnswerHeaders, deviceRequestHeaders, type Scheme } from './headers.ts';
import { sendBody } from './send-body.ts';

/** How long a device may take to begin its answer after it has the whole request, in milliseconds. */
export const ANSWER_DEADLINE_MS = 30_000;

export const LOST: Refusal = { status: 502, error: 'The connection to the site was lost' };
const MISBEHAVED: Refusal = { status: 502, error: 'The site gave an answer that cannot be passed on' };
export const NOT_IN_TIME: Refusal = { status: 504, error: 'The site did not answer in time' };
export const BODY_TOO_LONG: Refusal = { status: 413, error: 'The request body is longer than 1 MiB' };
export const UNSENDABLE: Refusal = { status: 400, error: 'The request cannot be passed on' };

/** Passes one request to the device and the device's answer back; either end going away cancels the other. */
export function forwardRequest(
  req: IncomingMessage,
  res: ServerResponse,
  session: DeviceSession,
  scheme: Scheme,
  answerDeadlineMs: number,
): void {
  const withBody = hasBody(req);
  let stream: ClientHttp2Stream;
  try {
    stream = session.open(deviceRequestHeaders(req, scheme), withBody);
  } catch {
    refuse(req, res, UNSENDABLE);
    return;
  }

  let settled = false;
  const fail = (refusal: Refusal): void => {
    settled = true;
    clearTimeout(deadline);
    stream.close(constants.NGHTTP2_CANCEL);
    refuse(req, res, refusal);
  };
  const deadline = setTimeout(fail, answerDeadlineMs, NOT_IN_TIME);

  stream.on('response', (answer, flags, raw) => {
    if (settled) return;
    clearTimeout(deadline);
    if (!passHead(res, answer, raw)) fail(MISBEHAVED);
    else passBody(stream, res, flags, bodyLength(req, answer));
  });
  stream.on('error', ignore);
  stream.on('close', () => {
    if (!settled && !res.writableEnded) fail(LOST);
  });
  res.on('close', () => {
    settled = true;
    clearTimeout(deadline);
    if (!stream.destroyed) stream.close(constants.NGHTTP2_CANCEL);
  });
  if (withBody)
    sendBody(
      req,
      res,
      stream,
      () => deadline.refresh(),
      () => fail(BODY_TOO_LONG),
    );
}

type Answer = IncomingHttpHeaders & IncomingHttpStatusHeader;

function passHead(res: ServerResponse, answer: Answer, raw: readonly string[]): boolean {
  const status = answer[':status'] ?? 0;
  if (status < 200 || status > 599) return false;
  try {
    res.writeHead(status, clientAnswerHeaders(raw, status));
    return true;
  } catch {
    return false;
  }
}

/** How many bytes the body will have, as far as the answer says so. */
function bodyLength(req: IncomingMessage, answer: Answer): number | undefined {
  const status = answer[':status'];
  const length = answer['content-length'];
  if (length === undefined || req.method === 'HEAD' || status === 204 || status === 304) return undefined;
  return Number(length);
}

function passBody(stream: ClientHttp2Stream, res: ServerResponse, flags: number, length?: number): void {
  if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) {
    stream.resume();
    res.end();
    return;
  }
  let left = length ?? Number.POSITIVE_INFINITY;
  // Without a length the body may be a stream whose first bytes come late: the client gets the head at once.
  if (length === undefined) res.flushHeaders();
  stream.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left === 0) res.end(chunk);
    else if (!res.write(chunk)) {
      stream.pause();
      res.once('drain', () => stream.resume());
    }
  });
  stream.on('end', () => {
    if (res.writableEnded) return;
    const complete = stream.rstCode === constants.NGHTTP2_NO_ERROR && (left === 0 || length === undefined);
    if (complete) res.end();
    else res.destroy();
  });
}

function ignore(): void {
  // A stream's failure is told to the client when the stream closes, which it does in any case.
}
